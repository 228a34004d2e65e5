"""Which end of a fact is its topic: "migraine has treatment X" and "X treats migraine" agree.

The *topic* is what the aspect is about (the condition of a treatment or a symptom, the medicine of
a side effect), the *value* what is said of it. Read from the words of the relation's IRI, which do
not depend on the language, else from its label.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kg.model import Relation
from kg.text import fold, is_cjk, tokens

__all__ = ["SYMMETRIC", "relation_words", "topic_is_subject"]

# Aspects whose facts read the same from both ends.
SYMMETRIC = frozenset({"interaction"})

# A relation whose last word is one of these names the subject's part: "treatment of", "used for".
_TURNING = frozenset({"of", "for"})
_NEVER_TURNING = frozenset({"anatomy", "classification"})  # "part of", "kind of"
_DOWNWARD = re.compile(r"narrower|has (?:kind|subclass|sub class|subtype|type)|include")
_ACTIVE = {
    "treatment": ("treat", "relieve", "palliate", "cure", "indicated", "indication", "alleviate"),
    "non-indication": ("des", "indicated", "not"),
    "cause": ("cause", "trigger", "induce", "lead", "result", "produce"),
    "prevention": ("prevent",),
    "diagnosis": ("diagnose", "detect", "confirm"),
    "risk-factor": ("predispose", "increase"),
    "department": ("treat", "see", "handle"),
    "symptom": ("indicate", "suggest"),
}
_CHINESE_ACTIVE = {
    "treatment": "(可)?(以)?(用于)?(治疗|主治|缓解|适应症|适用于|适应证)",
    "cause": "(可)?(能)?(导致|引起|诱发|造成)",
    "prevention": "(可)?(用于)?预防",
    "risk-factor": "(增加|易患|诱发).*",
    "diagnosis": "(可)?(用于)?诊断",
}
_CHINESE_TURNING = re.compile(r".*的(症状|体征|病因|原因|治疗|药物|副作用|并发症|危险因素|检查)")


@lru_cache(maxsize=4096)
def topic_is_subject(relation: Relation) -> bool:
    """True for "migraine has treatment X", False for "X treats migraine"."""
    words = relation_words(relation)
    if words and not is_cjk(words):
        parts = words.split()
        if parts[0] in ("has", "have", "is", "may", "can") and len(parts) > 1:
            active = parts[0] != "has" and parts[1] in _ACTIVE.get(relation.aspect, ())
        else:
            active = parts[0] in _ACTIVE.get(relation.aspect, ())
        if relation.aspect == "treatment" and "indication" in parts:
            active = True
        if relation.aspect == "classification" and _DOWNWARD.search(words):
            return False
        turning = parts[-1] in _TURNING and relation.aspect not in _NEVER_TURNING
        return not active and not turning
    pattern = _CHINESE_ACTIVE.get(relation.aspect)
    if pattern and re.fullmatch(pattern, words):
        return False
    return not (words.startswith("是") and _CHINESE_TURNING.fullmatch(words))


def relation_words(relation: Relation) -> str:
    """The folded words of a relation: of its IRI where that holds words, else of its label."""
    name = re.split(r"[/#:]", relation.iri)[-1]
    name = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ")
    if re.fullmatch(r"[A-Za-z][A-Za-z -]{3,}", name) and name[1:] != name[1:].upper():
        return " ".join(token.folded for token in tokens(name))
    label = re.sub(r"([a-z])([A-Z])", r"\1 \2", relation.label)
    return fold(label) if is_cjk(label) else " ".join(t.folded for t in tokens(label))

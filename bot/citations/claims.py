"""What a sentence says beside naming things: negation, strength, relation, direction, numbers.

All functions look at a sentence whose entity names are already replaced (bot.citations.naming), so
that "non-small cell lung cancer" is no negation and "type 2 diabetes" no number. English, Chinese.
Word lists, not grammar: they catch clear cases and stay silent on the rest.
"""

from __future__ import annotations

import re
import unicodedata

from kg.model import Relation

__all__ = [
    "OBJECT",
    "SUBJECT",
    "fits",
    "is_kind_word",
    "is_negated",
    "kinds_in",
    "numbers_in",
    "other_relation",
    "strong_words",
    "turned_round",
]

# What stands in a masked sentence for the two ends of the evidence.
SUBJECT, OBJECT = "\ue001", "\ue002"

_NEGATION = re.compile(
    r"\b(?:not(?! only\b)|no(?! longer\b)|never|neither|nor|without|cannot|absent|absence|"
    r"lacks?|excluded|\w+n['’]t)\b"
    r"|没有|并非|并不|不是|不能|不会|不可|不应|不宜|不得|不(?=治疗|导致|引起|用于|包括|属于|推荐|"
    r"适用|伴|出现|含|与|和)|未(?:见|发现|列|有|被|能|报告|观察|出现)|无(?:法|效|此|关)|缺乏|排除",
    re.IGNORECASE,
)

_CONTRAST = re.compile(
    r"\b(?:but|however|whereas|although|though|yet)\b|但是?|然而|不过|而(?=不|未|没|无)",
    re.IGNORECASE,
)

_STRONG = re.compile(
    r"\b(?:cures?|cured|curing|curative|always|never fails?|guarante\w+|completely|permanently|"
    r"100 ?%|all (?:patients|people|cases)|every (?:patient|case|one)|proven|proves?|best|"
    r"everyone|everybody|safest|most effective|first[- ](?:choice|line)|drugs? of choice|"
    r"gold standard|must|"
    r"(?<!not )only)\b"
    r"|治愈|根治|总是|一定(?:会|能|可)?|每个人|必须|必定|保证|完全|永久|最好|最佳|最有效|最安全|首选|一线|"
    r"唯一|所有(?:患者|病人|人)|百分之百|证明",
    re.IGNORECASE,
)

# Words that state one kind of relation; only kinds that exclude each other are listed.
_KINDS = {
    "treatment": r"\b(?:treat(?:s|ed|ing|ments?)?|reliev\w+|therap(?:y|ies|eutic)|remed(?:y|ies)|"
    r"cures?|cured)\b|治疗|缓解|疗法|治愈",
    "cause": r"\b(?:caus(?:es?|ed|ing)|leads? to|led to|triggers?|triggered|induces?|due to)\b"
    r"|导致|引起|诱发|造成|病因",
    "contraindication": r"\b(?:contraindicat\w+)\b|禁忌|禁用|忌用",
    "side-effect": r"\b(?:side[- ]effects?|adverse)\b|副作用|不良反应",
    "prevention": r"\b(?:prevent\w*|prophyla\w+)\b|预防",
}
_KIND_PATTERNS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}
# A fact of the first aspect may be told in the words of the others.
_TOLERATED = {
    "side-effect": {"cause"},
    "complication": {"cause"},
    "risk-factor": {"cause"},
    "treatment": {"prevention"},
    "symptom": {"cause"},
    "interaction": {"side-effect", "contraindication", "cause"},
}
# Words of a claim that a path is judged by: to help is to treat, weakly said.
_CLAIMED = {
    **_KIND_PATTERNS,
    "cause": re.compile(
        rf"{_KINDS['cause']}|\b(?:worsen\w*|aggravat\w*|develops? into)\b|加重|恶化|发展为|演变为",
        re.IGNORECASE,
    ),
    "help": re.compile(
        r"\b(?:help(?:s|ed|ing|ful)?|effective|useful|beneficial|improv(?:es?|ed|ing)|good for"
        r"|eas(?:es|ed|ing)|work(?:s|ed)? (?:for|against)"
        r"|(?:used|prescribed|recommended|indicated|suitable) (?:for|in|against|to treat))\b"
        r"|\bsafe(?:ly)?\b|有助于|有效|有帮助|有疗效|安全|(?<![禁作相])用于|改善|减轻|适用于|适合",
        re.IGNORECASE,
    ),
    "symptom": re.compile(r"\b(?:symptoms?|signs?|manifest\w*)\b|症状|体征|表现", re.IGNORECASE),
    "complication": re.compile(r"\bcomplicat\w+|并发", re.IGNORECASE),
    "risk-factor": re.compile(r"\brisk factors?\b|\bpredispos\w+|危险因素", re.IGNORECASE),
    "interaction": re.compile(r"\binteract\w*|相互作用", re.IGNORECASE),
}
# Further words in which a hop of these aspects may be told.
_ALSO_TOLD = {
    "treatment": {"help"},
    "prevention": {"help"},
    "side-effect": {"symptom"},
    "complication": {"symptom"},
    "cause": {"risk-factor"},
    "risk-factor": {"complication"},
}
_JUDGED = frozenset(_KINDS) | {"symptom", "complication", "risk-factor", "interaction"}

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_ACTIVE_VERB = {
    "treatment": (r"treats?|relieves?|cures?|alleviates?", "治疗|缓解|治愈"),
    "cause": (r"causes?|triggers?|induces?", "导致|引起|诱发|造成"),
    "prevention": (r"prevents?", "预防"),
    "side-effect": (r"causes?|triggers?|induces?", "导致|引起"),
    "symptom": (r"causes?|triggers?|leads? to", "导致|引起"),
    "complication": (r"causes?|triggers?|leads? to", "导致|引起"),
}
_GAP = "[ *_\"'“”]+"  # what may stand between the words of one plain clause
# Here the topic acts on the value; elsewhere the value acts on the topic ("X treats the topic").
_TOPIC_ACTS = frozenset({"side-effect", "symptom", "complication"})


def is_negated(masked: str, value: str | None = None) -> bool:
    """Whether the sentence denies something; with `value`, in the part that names this sign.

    "It has A but not B" denies B only: the parts are what stands around a contrasting word.
    """
    parts = _CONTRAST.split(masked)
    telling = [part for part in parts if value and value in part] or parts
    return any(_NEGATION.search(part) for part in telling)


def strong_words(masked: str) -> tuple[str, ...]:
    """The words that claim more than a graph's plain fact does, in lower case."""
    return tuple(dict.fromkeys(m.group().lower() for m in _STRONG.finditer(masked)))


def other_relation(masked: str, aspects: frozenset[str]) -> bool:
    """Whether the sentence clearly states another kind of relation than the evidence's aspects."""
    if not aspects <= _JUDGED:
        return False
    stated = {kind for kind, word in _KIND_PATTERNS.items() if word.search(masked)}
    fitting = set(aspects).union(*(_TOLERATED.get(aspect, set()) for aspect in aspects))
    return bool(stated) and not stated & fitting


def kinds_in(masked: str) -> frozenset[str]:
    """The kinds of relation that these words state, "help" among them."""
    return frozenset(kind for kind, word in _CLAIMED.items() if word.search(masked))


def is_kind_word(name: str) -> bool:
    """Whether a name is nothing but such a word: there are entities called "symptom"."""
    return any(word.fullmatch(name.strip()) for word in _CLAIMED.values())


def fits(kinds: frozenset[str], masked: str, relation: Relation, *, negated: bool) -> bool:
    """Whether words of these kinds, as they stand in the text, may tell a fact of this relation."""
    if relation.label and relation.label in masked:
        return True
    aspect = relation.aspect
    if aspect in ("contraindication", "non-indication") and kinds & {"treatment", "help"}:
        return negated or aspect in kinds
    own = {aspect, *_TOLERATED.get(aspect, ()), *_ALSO_TOLD.get(aspect, ())}
    return aspect not in _JUDGED or bool(kinds & own)


def turned_round(masked: str, aspect: str, topic_is_subject: bool) -> bool:
    """Whether a plain active sentence has the two ends the wrong way round."""
    verbs = _ACTIVE_VERB.get(aspect)
    if verbs is None:
        return False
    topic, value = (SUBJECT, OBJECT) if topic_is_subject else (OBJECT, SUBJECT)
    actor, other = (topic, value) if aspect in _TOPIC_ACTS else (value, topic)
    english = (
        rf"{other}{_GAP}(?:(?:can|may|might|often|usually|also|to|used|is|helps?){_GAP}){{0,3}}"
    )
    chinese = rf"{other}\s*(?:也|还)?(?:可以|可|能够|能|会|常|用于)*"
    # An underscore is a gap and no part of a word: read as both, it would be tried in all ways.
    pattern = rf"{english}(?:{verbs[0]}){_GAP}(?:[^\W_]+{_GAP}){{0,2}}?{actor}"
    pattern += rf"|{chinese}(?:{verbs[1]})\s*{actor}"
    return re.search(pattern, masked, re.IGNORECASE) is not None


def numbers_in(text: str) -> tuple[str, ...]:
    """The numbers in a text, as digits without thousands separators or trailing zeros."""
    found = _NUMBER.findall(unicodedata.normalize("NFKC", text))
    return tuple(_normal_number(number) for number in found)


def _normal_number(number: str) -> str:
    number = re.sub(r",(?=\d{3}(?:\D|$))", "", number).replace(",", ".")
    if number.count(".") == 1:
        number = number.rstrip("0").rstrip(".")
    return number

"""Other wordings of one name: tried where the graph has none of the words as they stand.

- numbers and joints: type II and type 2, vitamin B12 and B 12, gall stones and gallstones;
- word order: carcinoma of the lung, lung carcinoma; MeSH's "Contraceptives, Oral";
- words that stand for each other (kg.local.other_words): renal and kidney, tumour and neoplasm,
  paracetamol and acetaminophen;
- adjectives of illnesses: hypertensive → hypertension, epileptic → epilepsy;
- acids and their salts: valproate and valproic acid.

What only drops a part, such as the salt, the place of an atom ("5-fluorouracil") or what induced
an illness, is a guess and counts as fuzzy. English names only: Chinese ones are the business of
kg.text.fold and kg.local.fuzzy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product

from kg.local.other_words import DRUG_CLASSES, FORMULAS, SALTS, SAME_NAMES, SAME_WORDS
from kg.model import HowLinked
from kg.text import fold, is_abbreviation, is_cjk

__all__ = ["Variant", "is_adjective", "variants"]

Variant = tuple[str, float, HowLinked]  # folded name, trust from 0 to 1, how

SAME, LIKELY, PART = 0.9, 0.85, 0.75
MOST_WORDS = 6
LONGEST_PERMUTED = 4  # words; of longer names the parts before and after one place are turned
MOST_WORDINGS = 8
_SMALL = frozenset({"of", "the", "in", "due", "to", "and"})
_ROMAN = dict(zip("i ii iii iv v vi vii viii ix x".split(), map(str, range(1, 11)), strict=True))
_ARABIC = {number: roman for roman, number in _ROMAN.items()}
# After these a single letter is a number: "type I", "stage V".
_COUNTED = frozenset("type stage grade class phase group factor".split())
_LETTERS_DIGITS = re.compile(r"([a-z]+)(\d+)")
# Adjective → noun, longest ending first; folded nouns have lost a plural's s ("diabete").
_ADJECTIVES = (
    ("ensive", "ension"), ("ulsive", "ulsion"), ("essive", "ession"), ("emic", "emia"),
    ("tic", "sis"), ("tic", "sy"), ("tic", ""), ("ic", "ia"), ("ic", "y"), ("ic", "is"),
    ("ic", "e"),
)  # fmt: skip
_SHORTEST_ADJECTIVE = 5
# What tells one form of a molecule from another, before its name.
_FORM = re.compile(r"(?:\d+(?:alpha|beta)?|[dlnrs]|dl|cis|trans)")
_SHORTEST_REST = 6


def variants(name: str) -> list[Variant]:
    """Folded other wordings of a name, the surest first, each once and never the name itself."""
    folded = fold(name)
    if name.strip() in FORMULAS:
        return [(fold(FORMULAS[name.strip()]), SAME, "folded")]
    if not folded or is_cjk(folded) or is_abbreviation(name) and " " not in folded:
        joints = list(_joints(folded.split())) if folded and not is_cjk(folded) else []
        return [(" ".join(words), SAME, "folded") for words in joints]
    words = folded.split()
    if len(words) > MOST_WORDS:
        return []
    found: dict[str, Variant] = {}
    for other, trust, how in _all(folded, words):
        if other != folded:
            found.setdefault(other, (other, trust, how))
    return list(found.values())


def _all(folded: str, words: list[str]) -> Iterator[Variant]:
    for other in SAME_NAMES.get(folded, ()):
        yield other, SAME, "folded"
    for wording in (words, *_joints(words), *_numerals(words)):
        for ordered in _orders(wording):
            yield ordered, SAME, "folded"
    for wording in _wordings(words):
        for ordered in _orders(wording):
            yield ordered, LIKELY, "folded"
    if len(words) == 1:
        nouns = _nouns(folded) if is_adjective(folded) else ()
        for noun in (*nouns, *_acids(folded)):
            yield noun, LIKELY, "folded"
    for part in _parts(words):
        yield part, PART, "fuzzy"


def _joints(words: Sequence[str]) -> Iterator[list[str]]:
    """Neighbouring words as one, and letters apart from the digits behind them."""
    for place in range(len(words) - 1):
        yield [*words[:place], words[place] + words[place + 1], *words[place + 2 :]]
    for place, word in enumerate(words):
        parts = _LETTERS_DIGITS.fullmatch(word)
        if parts:
            yield [*words[:place], *parts.groups(), *words[place + 1 :]]
        elif word.startswith("non") and len(word) > 6:
            yield [*words[:place], "non", word[3:], *words[place + 1 :]]


def _numerals(words: Sequence[str]) -> Iterator[list[str]]:
    """Roman numbers as Arabic ones and the other way round."""
    for place, word in enumerate(words):
        other = _ROMAN.get(word) or _ARABIC.get(word)
        counted = place > 0 and words[place - 1] in _COUNTED
        if other and (counted or len(word) > 1):
            yield [*words[:place], other, *words[place + 1 :]]


def _orders(words: Sequence[str]) -> Iterator[str]:
    """The words in other orders, without "of the"; and "Y X" as "X of Y"."""
    yield " ".join(words)
    bare = [word for word in words if word not in _SMALL]
    if len(bare) <= LONGEST_PERMUTED:
        yield from (" ".join(order) for order in permutations(bare))
    else:
        for place in range(1, len(bare)):
            yield " ".join([*bare[place:], *bare[:place]])
    if len(bare) == len(words) == 2:
        for link in ("of", "of the"):
            yield f"{words[1]} {link} {words[0]}"


def _wordings(words: Sequence[str]) -> Iterator[list[str]]:
    """Longer names with words that stand for each other."""
    if len(words) < 2:
        return
    choices = [(word, *SAME_WORDS.get(word, ())) for word in words]
    yield from (list(choice) for choice in islice(product(*choices), 1, MOST_WORDINGS + 1))


def is_adjective(word: str) -> bool:
    """Whether a folded word is built like the adjective of an illness or state."""
    if len(word) < _SHORTEST_ADJECTIVE or word in DRUG_CLASSES or word.startswith("anti"):
        return False
    return word.endswith(tuple(ending for ending, _ in _ADJECTIVES))


def _nouns(word: str) -> Iterator[str]:
    """What an adjective speaks of: "ischemic" of ischemia."""
    for ending, noun in _ADJECTIVES:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            yield word.removesuffix(ending) + noun


def _acids(word: str) -> Iterator[str]:
    if word.endswith("ate") and len(word) > _SHORTEST_ADJECTIVE:
        yield word.removesuffix("ate") + "ic acid"


def _parts(words: Sequence[str]) -> Iterator[str]:
    """A medicine without its salt or the form of its molecule; an illness without its cause."""
    if len(words) > 1 and words[-1] in SALTS and len(words[0]) >= _SHORTEST_REST:
        yield " ".join(words[:-1])
    if "induced" in words[1:-1]:
        yield " ".join(words[words.index("induced") + 1 :])
    rest = list(words)
    while len(rest) > 1 and _FORM.fullmatch(rest[0]):
        rest = rest[1:]
    if len(rest) == 1 < len(words) and len(rest[0]) >= _SHORTEST_REST:
        yield rest[0]

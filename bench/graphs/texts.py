"""Questions made from a graph's own names: texts that mention them, misspellings, beginnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kg.local.generations import current_generation
from kg.local.snapshot import Snapshot
from kg.text import is_cjk

__all__ = ["SIZES", "drawn", "hubs", "misspelled", "names_of", "texts"]

# Words of an English text, characters of a Chinese one (about 300 words).
SIZES = {"en": 300, "zh": 500}
_ENGLISH = (
    "The patient was seen again with,and later developed,which had been treated with,"
    "in spite of,before she was referred because of,there was no sign of,and her brother has,"
    "after three weeks of,together with the onset of,this could also point to"
).split(",")
_CHINESE = (
    "患者三天前出现,并伴有,既往曾诊断为,目前服用,未见明显的,家族中有,考虑可能是,建议进一步检查"
).split(",")
_SHORTEST = 6  # characters of a word that gets misspelled
_WRONG = "柏"


@dataclass(frozen=True, slots=True)
class _Speech:
    between: Sequence[str]
    joint: str
    end: str


_SPEECH = {"en": _Speech(_ENGLISH, " ", ". "), "zh": _Speech(_CHINESE, "", "，")}


def drawn(folder: Path, count: int, seed: int = 5) -> list[str]:
    """Entities with names, each as likely as any other."""
    snapshot = Snapshot(current_generation(folder), None)
    random = np.random.default_rng(seed)
    segments = [one.adjacency for one in snapshot.segments.values()]
    sizes = np.array([len(one.keys) for one in segments], dtype=float)
    found: list[str] = []
    while len(found) < count:
        segment = segments[random.choice(len(segments), p=sizes / sizes.sum())]
        iri = segment.name(int(random.integers(len(segment.keys))))
        if not iri.startswith("_:") and iri in snapshot.cards([iri]):
            found.append(iri)
    return found


def hubs(folder: Path, count: int) -> list[str]:
    """The entities with names that have most facts in one source, relations and types apart."""
    snapshot = Snapshot(current_generation(folder), None)
    ranked: list[tuple[int, str]] = []
    for one in (segment.adjacency for segment in snapshot.segments.values()):
        degrees = one.degrees(one.keys)
        for place in np.argsort(-degrees)[: 2 * count].tolist():
            ranked.append((-int(degrees[place]), one.name(place)))
    named = snapshot.cards(iri for _, iri in ranked)
    return list(dict.fromkeys(iri for _, iri in sorted(ranked) if iri in named))[:count]


def names_of(folder: Path, language: str, count: int) -> list[str]:
    """Names in a language ("en" or "zh") of entities drawn uniformly; may be fewer, or none."""
    snapshot = Snapshot(current_generation(folder), None)
    cards = snapshot.cards(drawn(folder, 3 * count))
    wanted = language == "zh"
    found = [
        name[0]
        for iri in sorted(cards)
        for name in cards[iri].names
        if is_cjk(name[0]) == wanted and len(name[0]) > 1
    ]
    order = np.random.default_rng(len(found)).permutation(len(found))[:count]
    return [found[place] for place in order]


def texts(names: Sequence[str], language: str, count: int) -> Iterator[str]:
    """Texts of the usual size that mention the names between other words."""
    random, speech = np.random.default_rng(7), _SPEECH[language]
    for _ in range(count):
        parts: list[str] = []
        size = 0
        while size < SIZES[language]:
            between = speech.between[int(random.integers(len(speech.between)))]
            name = names[int(random.integers(len(names)))]
            size += len((between + name) if language == "zh" else f"{between} {name}".split())
            parts.append(f"{between}{speech.joint}{name}{speech.end}")
        yield "".join(parts)


def misspelled(name: str) -> str | None:
    """Two letters exchanged inside the longest word, or a Chinese character that is another one.

    None for names that are too short to be corrected.
    """
    word = max(name.split(), key=len)
    if len(word) < _SHORTEST:
        return None
    middle = len(word) // 2
    pair = _WRONG if is_cjk(word) else word[middle] + word[middle - 1]
    start = word[:middle] if is_cjk(word) else word[: middle - 1]
    wrong = start + pair + word[middle + 1 :]
    return name.replace(word, wrong, 1) if wrong != word else None

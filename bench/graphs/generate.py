"""Writes a generated graph as N-Triples: the same options give the same bytes, on any machine.

How often an entity is subject or object follows a power law, so a few hubs have many thousands of
facts. Every entity has a label and a type, synonyms as far as the names go round, some a
description; a fifth of the names are Chinese. All that is said of an entity stands together, as
dumps have it. Names are invented words: what they cost is real, what they say is not.

    python bench/graphs/generate.py graph.nt.gz --triples 1_000_000
    python bench/graphs/generate.py graph.nt --triples 20_000_000 --names 3_000_000
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

__all__ = ["Size", "lines", "name_of", "size_of", "write_graph"]

NODE = "http://purl.obolibrary.org/obo/GEN_"  # the OBO form, so that every node has a CURIE
RELATION = "http://example.org/relation/"
TYPE = "http://example.org/type/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SYNONYM = "http://www.w3.org/2004/02/skos/core#altLabel"
DESCRIPTION = "http://purl.org/dc/terms/description"

RELATIONS, TYPES = 64, 8
CHUNK = 4_096  # entities that are drawn at once
DESCRIBED = 20  # every so many entities
# Exponents over the rank: p(rank) ~ rank ** -exponent.
OF_SUBJECTS, OF_OBJECTS, OF_RELATIONS = 0.5, 0.75, 1.0
_SYLLABLES = (
    "ba ce di fo gu ha ki lo mu na pe ri so ta vi xo my ter lin cor phe the ran sul".split()
)
_ENDINGS = "itis osis emia oma in ol ide ine al ic ane ase ium ia oid ane".split()
_HANZI = (
    "心肝脾肺肾胃肠胆脑骨血脉皮肤眼耳鼻咽喉舌牙颈肩背腰髋膝踝指趾神经肌腱韧带淋巴腺体囊管腔膜"
    "炎症癌瘤肿结节息肉溃疡梗死栓塞出血水肿纤维硬化萎缩坏变性感染中毒过敏畸形综合征障碍衰竭"
    "急慢原继发先天家族遗传多单弥漫局部反复良恶阿莫西林头孢青霉素红四环沙星磺胺酮酯醇酸钠钾钙镁铁锌"
)


@dataclass(frozen=True, slots=True)
class Size:
    """How much to write: entities, names (labels and synonyms), facts between entities."""

    entities: int
    names: int
    facts: int


def size_of(triples: int, names: int, entities: int | None = None) -> Size:
    """Facts are what is left after names, types and descriptions; two entities to three names."""
    entities = entities or max(1, names * 2 // 3)
    return Size(entities, names, triples - names - entities - entities // DESCRIBED)


def name_of(number: int, copy: int) -> tuple[str, str]:
    """The label (copy 0) or a synonym of an entity, with its language; always the same."""
    draw = _Draw(number * 64 + copy)
    if (number + copy) % 5 == 4:
        return "".join(_HANZI[draw(len(_HANZI))] for _ in range(4 + draw(5))), "zh"
    words = 1 + draw(4)
    first = _word(draw, 4 if words == 1 else 3)
    return " ".join((first, *(_word(draw, 2) for _ in range(words - 1)))), "en"


class _Draw:
    """Small numbers from a seed (a linear congruence, its high bits): cheaper than numpy's one."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % (1 << 64)

    def __call__(self, below: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self._state >> 33) * below >> 31


def _word(draw: _Draw, syllables: int) -> str:
    stem = "".join(_SYLLABLES[draw(len(_SYLLABLES))] for _ in range(syllables))
    return stem + _ENDINGS[draw(len(_ENDINGS))]


def _powers(count: int, exponent: float) -> NDArray[np.float64]:
    """The share that the first ranks have together, up to 1 at the last."""
    together: NDArray[np.float64] = np.cumsum(
        np.arange(1, count + 1, dtype=np.float64) ** -exponent
    )
    together /= together[-1]
    return together


def lines(size: Size, seed: int = 3) -> Iterator[str]:
    """The graph as text, some thousand statements at a time; no statement twice."""
    random = np.random.default_rng(seed)
    yield from _relation_lines()
    # Hubs are spread over the numbers; who is often subject is not who is often object.
    places = random.permutation(size.entities)
    until = np.floor(_powers(size.entities, OF_SUBJECTS) * size.facts + 0.5).astype(np.int64)
    counts = np.diff(until, prepend=0)[places]
    targets, kinds = _powers(size.entities, OF_OBJECTS), _powers(RELATIONS, OF_RELATIONS)
    ranked = random.permutation(size.entities)
    for first in range(0, size.entities, CHUNK):
        numbers = np.arange(first, min(first + CHUNK, size.entities))
        subjects = np.repeat(numbers, counts[numbers])
        relations = np.searchsorted(kinds, random.random(len(subjects)))
        objects = ranked[np.searchsorted(targets, random.random(len(subjects)))]
        facts = np.unique(np.stack((subjects, relations, objects)), axis=1)
        yield "".join(_chunk(numbers, facts, size))


def _chunk(numbers: NDArray[np.int64], facts: NDArray[np.int64], size: Size) -> Iterator[str]:
    ends = np.searchsorted(facts[0], numbers, side="right").tolist()
    _, relations, objects = facts.tolist()
    start = 0
    for number, end in zip(numbers.tolist(), ends, strict=True):
        node = f"<{NODE}{number:07}>"
        yield from _descriptive(node, number, size)
        for place in range(start, end):
            yield f"{node} <{RELATION}{relations[place]}> <{NODE}{objects[place]:07}> .\n"
        start = end


def _descriptive(node: str, number: int, size: Size) -> Iterator[str]:
    """Names, type and description of an entity."""
    for copy in range((size.names - number - 1) // size.entities + 1):
        text, language = name_of(number, copy)
        yield f'{node} <{SYNONYM if copy else LABEL}> "{text}"@{language} .\n'
    yield f"{node} <{RDF_TYPE}> <{TYPE}{number % TYPES}> .\n"
    if number % DESCRIBED == DESCRIBED - 1:
        words = ", ".join(name_of(number, copy)[0] for copy in range(60, 63))
        yield f'{node} <{DESCRIPTION}> "{words}: {number}."@en .\n'


def _relation_lines() -> Iterator[str]:
    for number in range(RELATIONS):
        text = _word(_Draw(number + (1 << 40)), 2)
        yield f'<{RELATION}{number}> <{LABEL}> "has {text}"@en .\n'


@contextmanager
def _output(path: Path) -> Iterator[IO[bytes]]:
    with path.open("wb") as raw:
        if path.suffix == ".gz":
            with gzip.GzipFile("", "wb", 1, raw, mtime=0) as packed:
                yield cast(IO[bytes], packed)
        else:
            yield raw


def write_graph(path: Path, size: Size, seed: int = 3) -> int:
    """Write the graph to a file, packed when its name ends in .gz; how many statements."""
    written = 0
    with _output(path) as file:
        for text in lines(size, seed):
            file.write(text.encode())
            written += text.count("\n")
    return written


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("output", type=Path, help="file to write: .nt or .nt.gz")
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--names", type=int, help="labels and synonyms (0.15 of the triples)")
    parser.add_argument("--entities", type=int, help="two thirds of the names")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    size = size_of(given.triples, given.names or given.triples * 3 // 20, given.entities)
    written = write_graph(given.output, size, given.seed)
    print(f"{written:,} triples, {size.entities:,} entities, {size.names:,} names")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes graphs to measure chains on, as N-Triples.

    python bench/chains/make.py raw cmekg-raw.nt [--pickle cmekg.pkl]
    python bench/chains/make.py hub hub.nt [--neighbours 100_000]

"raw" is CMeKG with every string a node, texts and names too, as the figures of others have it;
without --pickle that of the installed package PyCMeKG. "hub" has two entities with so many
neighbours each, half of them shared, eight with a few, and ten facts among the neighbours for each.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from kg.sources.cmekg.files import find_dictionary, read_dictionary

_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_FEW, _FACTS, _RELATIONS = 50, 10, 12


def raw(pickle: Path | None) -> Iterator[str]:
    """Every triple of the dictionary, each string a node with itself as label."""
    dictionary = read_dictionary(find_dictionary(pickle))
    known: set[str] = set()
    for subject, facts in dictionary.items():
        for relation, values in facts.items():
            for value in values:
                for name in {subject, value} - known:
                    known.add(name)
                    yield f"{_node(name)} {_LABEL} {_literal(name)} .\n"
                yield f"{_node(subject)} <urn:cmekg:relation:{quote(relation)}> {_node(value)} .\n"


def _node(name: str) -> str:
    return f"<urn:cmekg:{quote(name, safe='')}>"


def _literal(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\r", "\\r") + '"@zh'


def hub(neighbours: int) -> Iterator[str]:
    """Two hubs, eight small entities, facts between their neighbours; the same in every run."""
    draw = random.Random(5)
    everyone = range(neighbours + neighbours // 2)
    groups = [everyone[:neighbours], everyone[neighbours // 2 :]]
    groups += [sorted(draw.sample(everyone, _FEW)) for _ in range(8)]
    for place, group in enumerate(groups):
        entity = f"<http://example.org/entity{place}>"
        yield f'{entity} {_LABEL} "entity {place}"@en .\n'
        for other in group:
            ends = [entity, f"<http://example.org/n{other}>"]
            draw.shuffle(ends)
            yield f"{ends[0]} {_relation(draw)} {ends[1]} .\n"
    for one in everyone:
        for _ in range(_FACTS):
            other = draw.choice(everyone)
            yield f"<http://example.org/n{one}> {_relation(draw)} <http://example.org/n{other}> .\n"


def _relation(draw: random.Random) -> str:
    return f"<http://example.org/relation{draw.randrange(_RELATIONS)}>"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("kind", choices=("raw", "hub"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--pickle", type=Path)
    parser.add_argument("--neighbours", type=int, default=100_000)
    given = parser.parse_args()
    lines = raw(given.pickle) if given.kind == "raw" else hub(given.neighbours)
    with given.file.open("w", encoding="utf-8") as file:
        file.writelines(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())

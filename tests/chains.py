"""Asking a graph for chains in one line, and reading them as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.model import ChainSet, Path, Relation
from kg.protocols import ChainQuery
from tests.fake_graph import FakeGraph

__all__ = ["E", "ask", "ends_of", "flat", "lines", "shown", "sources", "worth"]

E = "http://example.org/"


def worth(relations: Sequence[Relation]) -> NDArray[np.float64]:
    """A worth for tests: by the last letter of the IRI."""
    return np.array([(ord(one.iri[-1]) - ord("a")) % 26 / 25 for one in relations])


def flat(relations: Sequence[Relation]) -> NDArray[np.float64]:
    return np.full(len(relations), 0.5)


def ask(graph: LocalGraph | FakeGraph, names: str, **limits: object) -> ChainSet:
    limits.setdefault("worth", flat)
    query = ChainQuery(**limits)  # type: ignore[arg-type]
    return graph.chains([E + name for name in names.split()], query, "en", Deadline.after(60))


def shown(path: Path) -> str:
    """A chain as text: kind, then nodes and relations with their directions."""
    first = path.hops[0]
    text = f"{path.kind}: " + (first.triple.subject if first.forward else first.triple.object).label
    for hop in path.hops:
        end = hop.triple.object if hop.forward else hop.triple.subject
        label = hop.triple.relation.label
        text += f" {label}> {end.label}" if hop.forward else f" <{label} {end.label}"
    return text


def ends_of(path: Path) -> str:
    words = shown(path).split()
    return f"{words[1]} {words[-1]}"


def lines(found: ChainSet) -> list[str]:
    return sorted(shown(path) for path in found.chains)


def sources(path: Path) -> list[list[str]]:
    return [[source.name for source in hop.triple.sources] for hop in path.hops]

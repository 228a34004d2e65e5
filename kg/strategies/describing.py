"""Descriptions as evidence: the texts that say what the entities of a question or a chain are."""

from __future__ import annotations

from collections.abc import Iterable

from kg.model import Evidence, Hop, Triple, evidence_key
from kg.strategies.run import Run

__all__ = ["described"]


def described(run: Run, iris: Iterable[str]) -> list[Evidence]:
    """The descriptions of these entities, each once; what time cuts off is marked."""
    found = run.reading.descriptions(iris)
    run.complete = run.complete and found.complete
    return list({item.key: item for item in map(_description, found.triples)}.values())


def _description(triple: Triple) -> Evidence:
    hops = (Hop(triple),)
    text = f"{triple.subject.label}: {triple.object.label}"
    return Evidence(evidence_key("description", hops), "description", hops, text)

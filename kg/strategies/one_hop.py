"""One-hop evidence: the facts around each entity, ranked per entity and then together.

What KG-Rank is made of (NOTES.md: 20 per concept, so that no hub crowds out the others), and what
HyKGE falls back on where one entity is linked.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence

from kg.conflicts import conflicts_among
from kg.model import Evidence, Hop, LinkedEntity, Triple, evidence_key
from kg.ranking.order import Question, Ranker, fact_evidence, rank_triples
from kg.strategies.run import Run

__all__ = ["collect_facts", "described", "rank_facts", "with_disputes"]

CROWDED = 5  # facts of an asked aspect that are kept in any case


def collect_facts(run: Run, entities: Sequence[LinkedEntity]) -> None:
    """Read the facts of these entities into the run; what time cuts off is marked."""
    for entity in entities:
        found = run.reading.triples(entity.iri)
        run.facts[entity.iri] = found.triples
        run.complete = run.complete and found.complete
        run.deadline.check("reading the facts of what it names")


def rank_facts(run: Run, ranker: Ranker, iris: Collection[str] | None = None) -> list[Evidence]:
    """The best `top` of each entity whose facts were read, then of all, best first.

    What contradicts one of them comes after. `iris`: of these entities alone.
    """
    ranked = [_of_entity(run, iri, ranker) for iri in run.facts if iris is None or iri in iris]
    merged: dict[str, Evidence] = {}
    for item in _merged(ranked):
        merged.setdefault(item.key, item)
    best = _with_each_aspect(list(merged.values()), run.aspects, run.parameters.top)
    return with_disputes(run, best, (t for triples in run.facts.values() for t in triples))


def _of_entity(run: Run, iri: str, ranker: Ranker) -> list[Evidence]:
    question = Question(run.question, run.aspects, iri, run.entities)
    facts = [triple for triple in run.facts[iri] if not _is_description(triple)]
    found = rank_triples(question, facts, ranker)
    if found.problems:
        raise found.problems[0]  # Run.attempt ranks again without the model that failed
    run.say_reranked(found.reranked, found.asked)
    best = list(found.evidence)
    for aspect in run.aspects:  # none that is asked for may be crowded out by another
        if not any(aspect == item.hops[0].triple.relation.aspect for item in best):
            own = [t for t in facts if t.relation.aspect == aspect]
            best += rank_triples(question, own, ranker).evidence[:CROWDED]
    return best


def _merged(ranked: Sequence[Sequence[Evidence]]) -> Iterator[Evidence]:
    """One list of several, the better head first: each list keeps its own order (MMR's too)."""
    heads = [(_worth(items[0]), n, 0) for n, items in enumerate(ranked) if items]
    heapq.heapify(heads)
    while heads:
        _, number, place = heapq.heappop(heads)
        items = ranked[number]
        yield items[place]
        if place + 1 < len(items):
            heapq.heappush(heads, (_worth(items[place + 1]), number, place + 1))


def _worth(item: Evidence) -> tuple[bool, float, str, str]:
    """What a re-ranker has read goes before what it had no time for."""
    return ("rerank" not in item.scores, -item.scores["score"], item.text, item.key)


def _with_each_aspect(order: list[Evidence], aspects: Sequence[str], top: int) -> list[Evidence]:
    """The best `top`, of which the last give way to an asked aspect that is not among them."""
    kept = order[:top]
    for aspect in aspects:
        if not any(aspect == item.hops[0].triple.relation.aspect for item in kept):
            own = [i for i in order[top:] if i.hops[0].triple.relation.aspect == aspect][:CROWDED]
            kept = [*kept[: max(1, top - len(own))], *own]
    return kept


def with_disputes(run: Run, kept: Sequence[Evidence], facts: Iterable[Triple]) -> list[Evidence]:
    """The items with what contradicts them among `facts`, so that both sides can be shown."""
    keys = {item.key for item in kept}
    added: dict[str, Evidence] = {}
    pairs: dict[tuple[str, str], None] = {}
    for conflict in conflicts_among(facts):
        sides = [fact_evidence(one) for one in (conflict.affirms, conflict.denies)]
        if not keys.isdisjoint(side.key for side in sides):
            added |= {side.key: side for side in sides if side.key not in keys}
            pairs[sides[0].key, sides[1].key] = None
    run.conflicts = tuple(dict.fromkeys((*run.conflicts, *pairs)))
    return [*kept, *added.values()]


def described(run: Run, iris: Iterable[str]) -> list[Evidence]:
    """The descriptions of these entities."""
    found: dict[str, Evidence] = {}
    for iri in iris:
        triples = run.reading.triples(iri).triples
        about = [t for t in triples if _is_description(t) and t.subject.key == iri]
        found |= {item.key: item for item in map(_description, about)}
    return list(found.values())


def _is_description(triple: Triple) -> bool:
    return triple.relation.aspect == "definition" and triple.object.iri is None


def _description(triple: Triple) -> Evidence:
    hops = (Hop(triple),)
    text = f"{triple.subject.label}: {triple.object.label}"
    return Evidence(evidence_key("description", hops), "description", hops, text)

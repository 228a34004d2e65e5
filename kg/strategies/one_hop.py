"""One-hop evidence: the facts around each entity, ranked per entity and then together.

What KG-Rank is made of (NOTES.md: 20 per concept, so that no hub crowds out the others), and what
HyKGE falls back on where one entity is linked.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence

from kg.conflicts import conflicts_among
from kg.duplicates import without_duplicates
from kg.model import Evidence, LinkedEntity, Triple
from kg.ranking.order import Question, Ranker, fact_evidence, rank_triples
from kg.reading import is_description
from kg.strategies.run import Run

__all__ = ["collect_facts", "rank_facts", "with_disputes"]

CROWDED = 5  # facts of an asked aspect that are kept in any case


def collect_facts(run: Run, entities: Sequence[LinkedEntity]) -> None:
    """Read the facts of these entities into the run; what time cuts off is marked."""
    for entity in entities:
        found = run.reading.triples(entity.iri)
        run.facts[entity.iri] = found.triples
        run.complete = run.complete and found.complete
        run.deadline.check("reading the facts of what it names")


def rank_facts(run: Run, ranker: Ranker, iris: Collection[str] | None = None) -> list[Evidence]:
    """The ranker's `top` best of each entity whose facts were read, then of all, best first.

    What contradicts one of them comes after. `iris`: of these entities alone. A model that fails
    is left out for the entities after it.
    """
    alone = run.about_alone
    wanted = [iri for iri in run.facts if iris is None or iri in iris]
    ranked = []
    for iri, own in zip(wanted, run.rankers.shares(ranker, run.deadline, len(wanted)), strict=True):
        run.check_stopped()
        question = Question(run.question, run.aspects, iri, run.entities, alone)
        ranked.append(_of_entity(run, question, own))
    run.check_stopped()
    order = without_duplicates(_merged(ranked))
    best = _with_each_aspect(order, run.aspects, ranker.top)
    return with_disputes(run, best, (t for triples in run.facts.values() for t in triples))


def _of_entity(run: Run, question: Question, ranker: Ranker) -> list[Evidence]:
    facts = [triple for triple in run.facts[question.entity] if not is_description(triple)]
    found = rank_triples(question, facts, ranker)
    run.rankers.heed(found)
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

"""KG-Rank (arXiv 2403.05881): the one-hop triples of each linked entity, ranked for the question.

Here: mentions by the graph's names, `similarity` ranking, no re-ranker. Prompted NER, answer
expansion, MMR and re-ranking extend this module's stages.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from kg.aspects import aspects_of_question, words_beside_aspects
from kg.conflicts import conflicts_among
from kg.errors import DeadlineExceeded
from kg.linking import link
from kg.model import Evidence, Hop, LinkedEntity, Mention, Retrieval, Triple, evidence_key
from kg.populations import populations_in
from kg.protocols import Encoder, KnowledgeGraph
from kg.ranking.order import Question, fact_evidence, rank_triples
from kg.reading import Reading
from kg.strategies.request import Request

__all__ = ["NAME", "retrieve"]

NAME = "kg-rank"
CROWDED = 5  # facts of an asked aspect that are kept in any case
_WHY = {"en": "the facts around what the question names", "zh": "取问题所提实体周围的事实"}


class _Trace:
    """What one run found so far; kept when the time runs out in a later stage."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.mentions: tuple[Mention, ...] = ()
        self.entities: tuple[LinkedEntity, ...] = ()
        self.question = request.question
        self.aspects = aspects_of_question(request.question)
        self.facts: dict[str, tuple[Triple, ...]] = {}
        self.evidence: tuple[Evidence, ...] = ()
        self.conflicts: tuple[tuple[str, str], ...] = ()
        self.timings: dict[str, float] = {}
        self.problems: list[str] = []
        self.complete = True

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Announce a stage and take its time in milliseconds."""
        self.request.on_stage(name)
        began = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = round((time.perf_counter() - began) * 1000, 2)


def retrieve(request: Request, graph: KnowledgeGraph, encoder: Encoder | None) -> Retrieval:
    """The evidence for one question, best first, with the way that led to it.

    `encoder` None, or one that may not rank the question's language, ranks by shared words.
    Raises KgError when the graph does not answer at all; a deadline that runs out in a stage gives
    what was found until then, marked incomplete.
    """
    trace = _Trace(request)
    reading = Reading(graph, request.language, request.deadline)
    usable = encoder if encoder and request.language in encoder.languages else None
    try:
        _link(trace, reading)
        with trace.stage("retrieval"):
            _collect(trace, reading)
        with trace.stage("ranking"):
            trace.evidence = _rank(trace, usable)
    except DeadlineExceeded as error:
        trace.complete = False
        trace.problems.append(error.message(request.language))
    parameters = request.parameters
    return Retrieval(
        question=trace.question,
        language=request.language,
        aspects=trace.aspects,
        strategy=NAME,
        parameters={
            "ranking": parameters.ranking,
            "reranker": parameters.reranker,
            "k": parameters.k,
            "top": parameters.top,
            "encoder": usable.name if usable else "lexical",
        },
        why=_WHY[request.language],
        mentions=trace.mentions,
        entities=trace.entities,
        evidence=trace.evidence,
        graph=graph.identity(),
        triples_found=sum(len(triples) for triples in trace.facts.values()),
        found_by_aspect=_by_aspect(trace),
        conflicts=trace.conflicts,
        timings=trace.timings,
        complete=trace.complete,
        problems=tuple(trace.problems),
    )


def _link(trace: _Trace, reading: Reading) -> None:
    carried = trace.request.carried
    trace.aspects = trace.aspects or carried.aspects
    with trace.stage("mentions"):
        trace.mentions = reading.mentions(trace.request.question)
    with trace.stage("linking"):
        linked = link(trace.request.question, trace.mentions, trace.aspects, reading)
        if carried.entities and _only_people(trace.request.question, linked):
            linked = ()  # "and in pregnancy?" asks about what the last turn was about
        own = {entity.iri for entity in linked}
        before = [e for e in carried.entities if e.iri not in own]
        if before and (carried.refers_back or not linked):
            names = ", ".join(entity.label for entity in before)
            trace.question = f"{trace.request.question} ({names})"
            linked = (*(replace(e, how="carried") for e in before), *linked)
        trace.entities = linked


def _only_people(question: str, linked: Sequence[LinkedEntity]) -> bool:
    """Whether a question names nothing but the people that something is asked for."""
    rest = question
    for entity in linked:
        if not populations_in(entity.mention):
            return False
        rest = rest.replace(entity.mention, " ")
    return bool(linked) and not words_beside_aspects(rest)


def _collect(trace: _Trace, reading: Reading) -> None:
    for entity in trace.entities:
        found = reading.triples(entity.iri)
        trace.facts[entity.iri] = found.triples
        trace.complete = trace.complete and found.complete
        trace.request.deadline.check("reading the facts of what it names")


def _rank(trace: _Trace, encoder: Encoder | None) -> tuple[Evidence, ...]:
    """The best `top` of each entity, then of all; descriptions of the entities stand apart."""
    parameters = trace.request.parameters
    ranked: dict[str, Evidence] = {}
    described: dict[str, Evidence] = {}
    for iri, triples in trace.facts.items():
        trace.request.deadline.check("ranking the facts")
        question = Question(trace.question, trace.aspects, iri, trace.entities)
        facts = [t for t in triples if not _is_description(t)]
        best = rank_triples(question, facts, encoder, keep=parameters.k, top=parameters.top)
        for aspect in trace.aspects:  # none that is asked for may be crowded out by another
            if not any(aspect == item.hops[0].triple.relation.aspect for item in best):
                own = [t for t in facts if t.relation.aspect == aspect]
                best += rank_triples(question, own, encoder, keep=parameters.k, top=CROWDED)
        for item in best:
            ranked.setdefault(item.key, item)
        about = [_description(t) for t in triples if _is_description(t) and t.subject.key == iri]
        described |= {item.key: item for item in about}
    order = sorted(ranked.values(), key=lambda item: (-item.scores["score"], item.text, item.key))
    order = _with_each_aspect(order, trace.aspects, parameters.top)
    kept = [*order, *_disputing(trace, order)]
    kept += described.values()
    return tuple(replace(item, rank=rank) for rank, item in enumerate(kept, 1))


def _with_each_aspect(order: list[Evidence], aspects: Sequence[str], top: int) -> list[Evidence]:
    """The best `top`, of which the last give way to an asked aspect that is not among them."""
    kept = order[:top]
    for aspect in aspects:
        if not any(aspect == item.hops[0].triple.relation.aspect for item in kept):
            own = [i for i in order[top:] if i.hops[0].triple.relation.aspect == aspect][:CROWDED]
            kept = [*kept[: max(1, top - len(own))], *own]
    return kept


def _disputing(trace: _Trace, kept: Sequence[Evidence]) -> list[Evidence]:
    """What contradicts the facts that are kept, so that both sides are there to be shown."""
    found = conflicts_among(triple for triples in trace.facts.values() for triple in triples)
    keys = {item.key for item in kept}
    added: dict[str, Evidence] = {}
    pairs: dict[tuple[str, str], None] = {}
    for conflict in found:
        sides = [fact_evidence(one) for one in (conflict.affirms, conflict.denies)]
        if not keys.isdisjoint(side.key for side in sides):
            added |= {side.key: side for side in sides if side.key not in keys}
            pairs[sides[0].key, sides[1].key] = None
    trace.conflicts = tuple(pairs)
    return list(added.values())


def _by_aspect(trace: _Trace) -> dict[str, int]:
    facts = (triple for triples in trace.facts.values() for triple in triples)
    return dict(sorted(Counter(fact.relation.aspect for fact in facts).items()))


def _is_description(triple: Triple) -> bool:
    return triple.relation.aspect == "definition" and triple.object.iri is None


def _description(triple: Triple) -> Evidence:
    hops = (Hop(triple),)
    text = f"{triple.subject.label}: {triple.object.label}"
    return Evidence(evidence_key("description", hops), "description", hops, text)

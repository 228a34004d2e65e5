"""Chains for a run: those between its entities, or paths that begin at its only one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kg.chains import RelationWorth, chain_evidence, chains_between, ends, expansions
from kg.errors import DeadlineExceeded
from kg.joins import Joining
from kg.model import ChainSet, Evidence, Hop, LinkedEntity, Path, Triple
from kg.protocols import ChainQuery
from kg.ranking.bonus import answers
from kg.strategies.run import Run

__all__ = ["expanded", "joining"]

KEPT_CHAINS = 200
PER_PAIR = 12
PER_NEIGHBOUR = 20
# Beside the graph's own score: more than what rarity and closeness make of chains of one length.
ANSWER_WEIGHT = 0.5
MOST_ASKED = 4  # entities whose facts are looked through for narrower names


def joining(run: Run) -> ChainSet:
    """The chains of at most k hops between the entities of the run (HyKGE, Eqs. 5-7)."""
    named = frozenset(entity.iri for entity in run.entities)
    query = ChainQuery(
        _worth(run), named, hops=run.parameters.k, keep=KEPT_CHAINS, per_pair=PER_PAIR
    )
    found = chains_between(run.reading, run.entities, query)
    try:
        wider = _joined_by_narrower_names(run, found)
    except DeadlineExceeded as error:
        run.cut_off(error)
        return replace(found, complete=False)
    chains = sorted((_fitting(run, path) for path in found.chains), key=lambda path: -path.score)
    return replace(found, chains=(*wider, *chains))


def _fitting(run: Run, path: Path) -> Path:
    """The chain, worth more the more its ends are told what the question asks about them.

    The graph knows relations, not directions: for "symptoms of A and B" what both have as a
    symptom must come before what has both as symptoms. Longer chains tell of others in between.
    """
    if len(path.hops) > 2:
        return path
    first, last = path.hops[0].triple, path.hops[-1].triple
    told = [
        triple.relation.aspect in run.aspects and answers(triple, end)
        for triple, end in zip((first, last), ends(path.hops), strict=True)
    ]
    share = 1.0 if len(path.hops) == 1 else sum(told) / 2  # nothing joins more than a fact does
    return replace(path, score=round(path.score + ANSWER_WEIGHT * share, 5))


def _joined_by_narrower_names(run: Run, found: ChainSet) -> tuple[Path, ...]:
    """Facts between two of the question's entities, one of them by a narrower name.

    "Stomach ulcer or bleeding" is what a question on stomach ulcers means (kg.joins), but another
    node: no chain would say it in one hop.
    """
    asked = [e for e in run.entities if e.origin == "question" and not e.nested]
    if not 1 < len(asked) <= MOST_ASKED:
        return ()
    best = max((path.score for path in found.chains), default=1.0)
    known = {path.hops[0].triple for path in found.chains if len(path.hops) == 1}
    joins = Joining(asked)
    paths: dict[Triple, Path] = {}
    for entity in asked:
        for triple in run.reading.triples(entity.iri).triples:
            if triple not in known and joins((triple,)):
                forward = triple.subject.key == entity.iri
                paths.setdefault(triple, Path("path", (Hop(triple, forward),), best))
    return tuple(paths.values())


def expanded(run: Run, entities: Sequence[LinkedEntity]) -> list[Evidence]:
    """The paths that begin at the only entity, best first; none where there are several.

    The run keeps how many were found.
    """
    if len(entities) != 1:
        return []
    with run.stage("chains"):
        paths, complete = run.attempt(lambda: _from_one(run, entities[0]))
        run.complete = run.complete and complete
        run.chains_found = {"path": len(paths)} if paths else run.chains_found
        kept = paths[: run.parameters.top_k]
        return [chain_evidence(path, {"chain": path.score, "score": path.score}) for path in kept]
    return []


def _from_one(run: Run, entity: LinkedEntity) -> tuple[tuple[Path, ...], bool]:
    worth = _worth(run)
    query = ChainQuery(worth, hops=2, kinds=("path",), keep=KEPT_CHAINS, per_pair=PER_NEIGHBOUR)
    return expansions(run.reading, entity, worth, query)


def _worth(run: Run) -> RelationWorth:
    """How well relations serve the question."""
    return RelationWorth.of(run.question, run.aspects, run.entities, run.encoder)

"""Chains by plain enumeration, as their definition reads: slow, short and obviously right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from kg.local.chain_scores import base_score, end_scores, middle_scores, rarity, relation_scores
from kg.local.table import text_key
from kg.model import CHAIN_KINDS, ChainKind, ChainSet, Hop, Path, Triple
from kg.protocols import ChainQuery

__all__ = ["naive_chains"]

Walk = tuple[Hop, ...]
Order = tuple[object, ...]
Hops = dict[str, list[Hop]]  # by the node that they start at


def naive_chains(triples: Sequence[Triple], entities: Sequence[str], query: ChainQuery) -> ChainSet:
    """The chains of these facts between entities, all by the keys of their concepts."""
    facts = {_edge(triple): triple for triple in reversed(triples) if _is_edge(triple)}
    if len(entities) == 1:  # its other end is anything
        query = replace(query, apart=frozenset(), nested=frozenset())
    scoring = _Scoring(triples, query)
    found: dict[ChainKind, int] = dict.fromkeys(CHAIN_KINDS, 0)
    groups: dict[Order, list[tuple[Order, Path]]] = {}
    hops: Hops = {}
    for triple in facts.values():
        for hop in (Hop(triple, True), Hop(triple, False)):
            hops.setdefault(_nodes((hop,))[0], []).append(hop)
    every = _from_one if len(entities) == 1 else _between
    for kind, group, walk in every(hops, entities, query.hops):
        if kind in query.kinds and _is_sought(walk, query):
            found[kind] += 1
            path = Path(kind, walk, scoring.score(walk))
            order = (-path.score, len(walk), group, [_order(hop) for hop in walk])
            groups.setdefault(group, []).append((order, path))
    best = [one for group in groups.values() for one in sorted(group, key=_first)[: query.per_pair]]
    return ChainSet(tuple(path for _, path in sorted(best, key=_first)[: query.keep]), found)


def _between(
    hops: Hops, entities: Sequence[str], most: int
) -> Iterator[tuple[ChainKind, Order, Walk]]:
    for first, start in enumerate(entities):
        for walk in _walks(hops, start, (), most):
            end = _nodes(walk)[-1]
            kind = _kind([hop.forward for hop in walk])
            if kind is None or end not in entities:
                continue
            second = entities.index(end)
            if kind == "path" or first < second:
                yield kind, (CHAIN_KINDS.index(kind), first, second), walk


def _from_one(
    hops: Hops, entities: Sequence[str], most: int
) -> Iterator[tuple[ChainKind, Order, Walk]]:
    for walk in _walks(hops, entities[0], (), min(most, 2)):
        if len(walk) == 2:
            yield "path", (text_key(_nodes(walk)[1]),), walk


def _walks(hops: Hops, start: str, walk: Walk, most: int) -> Iterator[Walk]:
    """All walks from `start` of one to `most` hops that meet no node twice."""
    nodes = _nodes(walk) if walk else [start]
    if walk:
        yield walk
    if len(walk) < most:
        for hop in hops.get(nodes[-1], []):
            if _nodes((hop,))[1] not in nodes:
                yield from _walks(hops, start, (*walk, hop), most)


def _nodes(walk: Walk) -> list[str]:
    nodes: list[str] = []
    for hop in walk:
        ends = [hop.triple.subject.key or "", hop.triple.object.key or ""]
        ends = ends if hop.forward else ends[::-1]
        nodes += ends[len(nodes) > 0 :]
    return nodes


def _kind(forward: list[bool]) -> ChainKind | None:
    arms = tuple(direction for direction, _ in groupby(forward))
    kinds: Mapping[tuple[bool, ...], ChainKind] = {
        (True,): "path",
        (True, False): "co-ancestor",
        (False, True): "co-occurrence",
    }
    return kinds.get(arms)


def _is_sought(walk: Walk, query: ChainQuery) -> bool:
    nodes = _nodes(walk)
    return frozenset((nodes[0], nodes[-1])) not in query.apart


class _Scoring:
    def __init__(self, triples: Sequence[Triple], query: ChainQuery) -> None:
        self._degrees: Counter[str] = Counter()
        for triple in triples:
            for end in (triple.subject, triple.object):
                if triple.object.iri is not None:
                    self._degrees[end.key or ""] += len(triple.sources)
        relations = sorted({triple.relation for triple in triples}, key=lambda one: one.iri)
        worth = query.worth(relations).tolist()
        self._worth = {one.iri: value for one, value in zip(relations, worth, strict=True)}
        self._named, self._nested = query.named, query.nested

    def score(self, walk: Walk) -> float:
        worth = np.array([self._worth[hop.triple.relation.iri] for hop in walk])
        score = base_score(len(walk)) + sum(relation_scores(worth, len(walk)).tolist())
        first, *middle, last = _nodes(walk)
        score += sum(end_scores(np.array([end in self._nested for end in (first, last)])).tolist())
        if middle:
            degrees = np.array([self._degrees[node] for node in middle])
            rare = rarity(degrees, max(self._degrees.values()))
            named = np.array([node in self._named for node in middle])
            score += sum(middle_scores(rare, named, len(walk)).tolist())
        return float(score)


def _is_edge(triple: Triple) -> bool:
    subject, value = triple.subject.key, triple.object.key
    return subject is not None and value is not None and subject != value


def _edge(triple: Triple) -> tuple[str, str, str]:
    return triple.subject.key or "", triple.relation.iri, triple.object.key or ""


def _order(hop: Hop) -> tuple[int, str, int]:
    subject, relation, value = _edge(hop.triple)
    return text_key(subject), relation, text_key(value)


def _first(row: tuple[Order, Path]) -> Order:
    return row[0]

"""Evidence that says the same twice, and its one item with the references of both.

One fact of several sources is one triple already (the graph merges it). What is left are facts
stated from both ends: "migraine has treatment sumatriptan" and "sumatriptan treats migraine", and
chains that differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import NamedTuple

from kg.model import Evidence, Hop, Triple
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = ["without_duplicates"]


class _Claim(NamedTuple):
    """What a triple says, whichever end it begins with, and how it says it."""

    said: Hashable
    forward: bool
    relation: str


def without_duplicates(items: Iterable[Evidence]) -> list[Evidence]:
    """The items in their order, each claim once, with the sources and references of its repeats.

    The first of them stays as it is stated and keeps its key. Repeats are the same triples, and
    triples of one aspect that are stated the other way round and whose qualifiers agree; two
    relations in one direction ("drug therapy", "adjuvant therapy") are two claims.
    """
    kept: list[Evidence] = []
    places: dict[Hashable, list[int]] = {}
    for item in items:
        claims = [_claim(hop.triple) for hop in item.hops]
        same = places.setdefault(frozenset(claim.said for claim in claims), [])
        for place in same:
            if _repeats(item, kept[place]):
                kept[place] = _merged(kept[place], item)
                break
        else:
            same.append(len(kept))
            kept.append(item)
    return kept


def _claim(triple: Triple) -> _Claim:
    ends = tuple(end.key or end.label for end in (triple.subject, triple.object))
    relation = triple.relation
    if relation.aspect in SYMMETRIC:
        return _Claim((relation.aspect, frozenset(ends)), ends == tuple(sorted(ends)), relation.iri)
    if relation.aspect == "other":
        return _Claim((relation.iri, ends), True, relation.iri)
    forward = topic_is_subject(relation)
    said = (relation.aspect, ends if forward else ends[::-1])
    return _Claim(said, forward, relation.iri)


def _repeats(item: Evidence, first: Evidence) -> bool:
    """Whether two items with the same claims state each in the same words or from both ends."""
    pairs = _paired(first, item)
    return (item.key == first.key) or (
        len(pairs) == len(first.hops) == len(item.hops)
        and all(_agree(one.triple, other.triple) for one, other in pairs)
    )


def _paired(first: Evidence, item: Evidence) -> list[tuple[Hop, Hop]]:
    """The hops of both that make the same claim."""
    others = {_claim(hop.triple).said: hop for hop in item.hops}
    said = ((hop, _claim(hop.triple).said) for hop in first.hops)
    return [(hop, others[claim]) for hop, claim in said if claim in others]


def _agree(one: Triple, other: Triple) -> bool:
    left, right = _claim(one), _claim(other)
    if left.forward == right.forward and left.relation != right.relation:
        return False
    values = dict(one.qualifiers)
    return all(values.get(name, value) == value for name, value in other.qualifiers)


def _merged(first: Evidence, repeat: Evidence) -> Evidence:
    """The first with what the repeat adds: sources, references, qualifiers."""
    added = {hop: other.triple for hop, other in _paired(first, repeat)}
    hops = tuple(
        replace(hop, triple=_with(hop.triple, added[hop])) if hop in added else hop
        for hop in first.hops
    )
    return replace(first, hops=hops)


def _with(triple: Triple, other: Triple) -> Triple:
    known = {source.name for source in triple.sources}
    return replace(
        triple,
        sources=(*triple.sources, *(s for s in other.sources if s.name not in known)),
        references=tuple(dict.fromkeys((*triple.references, *other.references))),
        qualifiers=tuple(dict.fromkeys((*triple.qualifiers, *other.qualifiers))),
    )

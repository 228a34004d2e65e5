"""Which ids of the sources stand for one thing: clusters, computed anew for each generation.

The rules (DESIGN.md §2, "Identity"):

- spellings of one id are one id, and an id that was merged into another goes with it;
- exact matches join two ids; where one id has several matches in one vocabulary, only the one
  match whose names agree does;
- cross-references join where they are one-to-one both ways: the only one of the id into that
  vocabulary, and the only one from the id's vocabulary to its target; a finding and a disease
  only when a name agrees too, since a sign is often referred to the disease that it points to;
- no cluster ever holds two live ids of one vocabulary: what would make it so is left out.

Surer claims join first, equal ones in the order of their ids, so that the result never varies.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kg.local.claims import DEAD, EXACT, FORMER, KINDS, XREF, vocabulary_of
from kg.local.rows import split
from kg.local.segment import Segment
from kg.local.table import Keys, Table, TableWriter, text_key, text_keys
from kg.sources.curies import canonical, iri_of_curie
from kg.text import fold

__all__ = ["Clusters", "ClustersOfSome", "write_clusters"]

# Where an entity of several ids is best known by: the first of these vocabularies that it has.
_HUBS = ("doid", "hp", "drugbank", "uberon", "mondo", "mesh", "umls", "omim", "orpha")

_FINDINGS = frozenset({"hp"})
_DISEASES = frozenset({"doid", "mondo", "omim", "orpha"})

Claim = tuple[str, str]  # two canonical ids


class ClustersOfSome:
    """The clusters of some sources alone: what the others claim does not count."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._groups = list(_clusters(segments))
        self._by_member = {iri: members for members in self._groups for iri in members}

    def groups(self) -> Iterator[tuple[str, ...]]:
        """Every cluster once."""
        return iter(self._groups)

    def of(self, iris: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The members of each IRI's cluster, the best known first; alone where it has none."""
        return {iri: self._by_member.get(iri, (iri,)) for iri in iris}


class Clusters:
    """The finished clusters of a generation."""

    def __init__(self, folder: Path) -> None:
        self._table = Table(folder, "clusters")

    def groups(self) -> Iterator[tuple[str, ...]]:
        """Every cluster once."""
        for entry in sorted(set(self._table.slice(0, len(self._table)))):
            yield tuple(json.loads(entry))

    def of(self, iris: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The members of each IRI's cluster, the best known first; alone where it has none."""
        found: dict[str, tuple[str, ...]] = {iri: (iri,) for iri in iris}
        if not len(self._table):
            return found
        for position, entries in self._table.find_many(text_keys(iris)):
            for entry in entries:
                members = tuple(json.loads(entry))
                if iris[position] in members:
                    found[iris[position]] = members
        return found


def write_clusters(folder: Path, segments: Sequence[Segment]) -> int:
    """Join the ids of these sources and write the clusters; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    writer, count = TableWriter(folder, "clusters"), 0
    try:
        for members in _clusters(segments):
            count += 1
            payload = json.dumps(members, ensure_ascii=False).encode()
            for iri in members:
                writer.add(text_key(iri), payload)
        writer.finish()
    finally:
        writer.close()
    return count


def _clusters(segments: Sequence[Segment]) -> Iterator[tuple[str, ...]]:
    """The IRIs of each cluster of two and more, the one that it is best known by first."""
    present = _Present(segments)
    joined = _Joined()
    names: dict[str, set[str]] = {}
    for claims, is_sure in _claims_by_trust(segments, present, joined.dead):
        if not is_sure:
            names = _names(joined.sides_of(claims), segments, present)
        for one, other in claims:
            if is_sure or joined.may_be_same(one, other, names):
                joined.join(one, other)
    ids = [*joined.members(), *(one for one in present.twins() if not joined.knows(one))]
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for identifier, iris in present.iris(ids).items():
        groups[joined.root(identifier) if joined.knows(identifier) else identifier] |= iris
    whole = [sorted(groups[root]) for root in sorted(groups) if len(groups[root]) > 1]
    yield from _best_known_first(whole, segments, joined.dead)


def _best_known_first(
    groups: Sequence[list[str]], segments: Sequence[Segment], dead: set[str]
) -> Iterator[tuple[str, ...]]:
    if not groups:
        return
    every = [iri for group in groups for iri in group]
    keys = text_keys(every)
    degrees = np.sum([segment.degrees(keys) for segment in segments], axis=0).tolist()
    known = dict(zip(every, degrees, strict=True))

    def place(iri: str) -> tuple[bool, int, int, str]:
        identifier = canonical(iri)
        vocabulary = vocabulary_of(identifier)
        hub = _HUBS.index(vocabulary) if vocabulary in _HUBS else len(_HUBS)
        return (identifier in dead, hub, -known[iri], iri)

    for group in groups:
        first = min(group, key=place)
        yield (first, *(iri for iri in group if iri != first))


class _Present:
    """Which ids have a node in some source, and which IRIs these nodes have."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments
        keys = [segment.adjacency.keys for segment in segments]
        keys += [segment.curies.keys for segment in segments]
        self.keys: Keys = np.unique(np.concatenate(keys)) if keys else np.empty(0, np.uint64)

    def iris(self, ids: Sequence[str]) -> dict[str, set[str]]:
        """Per canonical id the IRIs of the nodes that it stands for."""
        found: dict[str, set[str]] = {one: set() for one in ids}
        keys = text_keys(ids)
        named = [(one, iri) for one in ids for iri in dict.fromkeys((one, iri_of_curie(one)))]
        for segment in self._segments:
            for position, entries in segment.curies.find_many(keys):
                spellings = (entry.decode() for entry in entries)
                found[ids[position]] |= {i for i in spellings if canonical(i) == ids[position]}
            held = segment.adjacency.holds([iri for _, iri in named])
            for (one, iri), holds in zip(named, held, strict=True):
                if holds:
                    found[one].add(iri)
        return found

    def twins(self) -> set[str]:
        """Canonical ids that several IRIs are spellings of."""
        keys = [np.asarray(segment.curies.keys) for segment in self._segments]
        values, counts = np.unique(np.concatenate(keys), return_counts=True) if keys else ([], [])
        doubled = np.asarray(values)[np.asarray(counts) > 1]
        spellings: defaultdict[int, set[bytes]] = defaultdict(set)
        for segment in self._segments:
            for position, entries in segment.curies.find_many(doubled.astype(np.uint64)):
                spellings[position].update(entries)
        several = (entries for entries in spellings.values() if len(entries) > 1)
        return {canonical(entry.decode()) for entries in several for entry in entries}


class _Joined:
    """Union-find over canonical ids that refuses to put two live ids of a vocabulary together."""

    def __init__(self) -> None:
        self.dead: set[str] = set()
        self._parent: dict[str, str] = {}
        self._live: dict[str, dict[str, str]] = {}

    def knows(self, identifier: str) -> bool:
        """Whether any claim was made about the id."""
        return identifier in self._parent

    def members(self) -> Iterable[str]:
        """Every id that a claim was made about."""
        return list(self._parent)

    def root(self, identifier: str) -> str:
        """The id that stands for the cluster of this one."""
        if identifier not in self._parent:
            self._parent[identifier] = identifier
            alive = identifier not in self.dead
            self._live[identifier] = {vocabulary_of(identifier): identifier} if alive else {}
        while (parent := self._parent[identifier]) != identifier:
            self._parent[identifier] = self._parent[parent]
            identifier = parent
        return identifier

    def sides_of(self, claims: Sequence[Claim]) -> list[str]:
        """The ids of the clusters that these claims would join."""
        roots = {self.root(one) for claim in claims for one in claim}
        return sorted(one for one in self.members() if self.root(one) in roots)

    def may_be_same(self, one: str, other: str, names: Mapping[str, set[str]]) -> bool:
        """Whether two ids may be one thing by their kinds: finding and disease need a name."""
        sides = [self._live[self.root(end)] for end in (one, other)]
        for finding, disease in (sides, sides[::-1]):
            if _FINDINGS & finding.keys() and _DISEASES & disease.keys():
                called = [
                    set().union(*(names.get(each, set()) for each in side.values()))
                    for side in (finding, disease)
                ]
                return not called[0].isdisjoint(called[1])
        return True

    def join(self, one: str, other: str) -> bool:
        """Put two ids together unless that breaks the rule; whether they are together now."""
        first, second = sorted((self.root(one), self.root(other)))
        if first == second:
            return True
        if self._live[first].keys() & self._live[second].keys():
            return False
        self._parent[second] = first
        self._live[first] |= self._live.pop(second)
        return True


def _claims_by_trust(
    segments: Sequence[Segment], present: _Present, dead: set[str]
) -> Iterator[tuple[list[Claim], bool]]:
    """Groups of claims, the surest first, and whether they hold whatever the names are.

    Fills `dead` before the first group is given.
    """
    kinds: dict[str, list[tuple[Claim, bool]]] = defaultdict(list)
    for kind, claim, single in _worthwhile(segments, present):
        kinds[kind].append((claim, single))
    former = _unambiguous([claim for claim, _ in kinds[FORMER]])
    dead.update(old for _, old in former)
    dead.update(claim[0] for claim, _ in kinds[DEAD])
    yield former, True
    yield sorted({claim for claim, single in kinds[EXACT] if single}), True
    several = {claim for claim, single in kinds[EXACT] if not single}
    yield _agreeing(several, segments, present), True
    yield sorted({claim for claim, single in kinds[XREF] if single}), False


def _unambiguous(claims: list[Claim]) -> list[Claim]:
    """Ids that were merged into exactly one other."""
    into: defaultdict[str, set[str]] = defaultdict(set)
    for kept, old in claims:
        into[old].add(kept)
    return sorted((next(iter(kept)), old) for old, kept in into.items() if len(kept) == 1)


def _worthwhile(
    segments: Sequence[Segment], present: _Present
) -> Iterator[tuple[str, Claim, bool]]:
    """Claims that can join anything: kind, ids, and whether it is one-to-one both ways.

    A cross-reference to an id that no node has and nothing else points to joins nothing.
    """
    digests = [np.asarray(segment.claim_digests).reshape(-1, 5) for segment in segments]
    whole = np.concatenate(digests) if digests else np.empty((0, 5), np.uint64)
    if not len(whole):
        return
    single, useful = _is_single(whole), _is_useful(whole, present.keys)
    start = 0
    for segment, rows in zip(segments, digests, strict=True):
        for place, entry in enumerate(segment.claims.slice(0, len(rows)), start):
            kind, subject, target = split(entry, 2)
            if kind != XREF or useful[place]:
                yield kind, (subject, target), bool(single[place])
        start += len(rows)


def _is_useful(whole: NDArray[np.uint64], present: Keys) -> NDArray[np.bool_]:
    """Per claim: whether its target has a node, or is what several ids point to."""
    pairs = np.unique(whole[:, :2], axis=0)
    targets, counts = np.unique(pairs[:, 1], return_counts=True)
    return np.isin(whole[:, 1], targets[counts > 1]) | np.isin(whole[:, 1], present)


def _is_single(whole: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Per claim: whether nothing else joins its ids' vocabularies, seen from either of them.

    Exact matches are counted among themselves, cross-references among all claims.
    """
    exact, xref = (whole[:, 4] == KINDS.index(kind) for kind in (EXACT, XREF))
    return np.where(exact, _single_among(whole, exact), _single_among(whole, exact | xref))


def _single_among(whole: NDArray[np.uint64], counted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    ends = whole[:, :4]
    both_ways = np.concatenate((ends[counted], ends[counted][:, [1, 0, 3, 2]]))
    pairs = np.unique(both_ways, axis=0)
    seen, counts = np.unique(pairs[:, 0] ^ _mixed(pairs[:, 3]), return_counts=True)
    result = np.ones(len(whole), dtype=bool)
    for near, far_vocabulary in ((0, 3), (1, 2)):
        own = ends[:, near] ^ _mixed(ends[:, far_vocabulary])
        place = np.minimum(np.searchsorted(seen, own), len(seen) - 1)
        result &= (seen[place] == own) & (counts[place] == 1) if len(seen) else False
    return result


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Another digest of a digest, so that an id and a vocabulary do not cancel out."""
    mixed: NDArray[np.uint64] = keys * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    return mixed


def _agreeing(claims: set[Claim], segments: Sequence[Segment], present: _Present) -> list[Claim]:
    """Of several exact matches of one id in one vocabulary, the only one with the same name."""
    named = _names(sorted({one for claim in claims for one in claim}), segments, present)
    same = [claim for claim in sorted(claims) if named[claim[0]] & named[claim[1]]]
    seen: defaultdict[tuple[str, str], int] = defaultdict(int)
    for one, other in same:
        seen[one, vocabulary_of(other)] += 1
        seen[other, vocabulary_of(one)] += 1
    return [
        (one, other)
        for one, other in same
        if seen[one, vocabulary_of(other)] == seen[other, vocabulary_of(one)] == 1
    ]


def _names(
    ids: Sequence[str], segments: Sequence[Segment], present: _Present
) -> dict[str, set[str]]:
    """Per id its folded labels and synonyms over all sources."""
    iris = present.iris(ids)
    owners = {iri: one for one in ids for iri in iris[one]}
    names: dict[str, set[str]] = {one: set() for one in ids}
    for segment in segments:
        for iri, card in segment.cards_of(sorted(owners)):
            names[owners[iri]] |= {fold(name[0]) for name in card.names}
    return names

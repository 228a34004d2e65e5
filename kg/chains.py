"""Entities → chains that join them, and guided expansion from one entity.

The graph finds, counts and cheaply chooses (kg.protocols.ChainQuery); this says which relations
serve the question, and makes evidence of what was found. A relation serves it by its aspect and
by how close its label is to a word of the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kg.model import (
    ChainSet,
    Evidence,
    Hop,
    LinkedEntity,
    Origin,
    Path,
    Relation,
    evidence_key,
)
from kg.protocols import ChainQuery, Encoder
from kg.ranking.order import answers, triple_text
from kg.ranking.thresholds import closeness
from kg.reading import Reading
from kg.text import STOP_WORDS, fold, is_cjk, tokens, without_names, word_cutter

__all__ = ["RelationWorth", "chain_evidence", "chain_text", "chains_between", "ends", "expansions"]

# What the asked aspect is worth, beside a label that is the very word of the question.
ASPECT_WORTH = 0.8
# From here on a relation is the one that a word of the question names: half the way from unrelated
# to the same word.
NAMED = 0.5
# More labels than this are not encoded: a graph of many relations is compared by words.
MOST_ENCODED = 400
# "found" in founder and founded: so much of the longer word must be shared.
SHARED_STEM, SHORTEST_STEM = 0.6, 4
PER_PAIR = 12


@dataclass(slots=True)
class RelationWorth:
    """How well relations serve a question: from 0 to 1 (ChainQuery.worth).

    `words` are those that the question uses beside the names in it.
    """

    words: tuple[str, ...]
    aspects: tuple[str, ...]
    encoder: Encoder | None = None
    _closest: dict[str, tuple[float, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        question: str,
        aspects: Sequence[str],
        entities: Sequence[LinkedEntity],
        encoder: Encoder | None,
    ) -> RelationWorth:
        """The worth for one question, whose entities' names say nothing of relations."""
        return cls(_words(question, entities), tuple(aspects), encoder)

    def __call__(self, relations: Sequence[Relation]) -> NDArray[np.float64]:
        """One number per relation; what has the asked aspect and the very word counts most."""
        self._compare({relation.label for relation in relations})
        close = np.asarray([max(self._closest[r.label], default=0.0) for r in relations])
        asked = np.asarray([r.aspect in self.aspects for r in relations], dtype=np.float64)
        return 1 - (1 - ASPECT_WORTH * asked) * (1 - close.astype(np.float64))

    def named_by(self, relations: Sequence[Relation]) -> frozenset[str]:
        """The words of the question that name one of these relations."""
        self._compare({relation.label for relation in relations})
        return frozenset(
            word
            for relation in relations
            for word, close in zip(self.words, self._closest[relation.label], strict=True)
            if close >= NAMED
        )

    def _compare(self, labels: set[str]) -> None:
        new = sorted(labels - self._closest.keys())
        for label in new:
            self._closest[label] = tuple(_shared(word, label) for word in self.words)
        if self.encoder is None or not self.words or not 0 < len(new) <= MOST_ENCODED:
            return
        close = closeness(self.words, new, self.encoder)
        for label, row in zip(new, close.tolist(), strict=True):
            self._closest[label] = tuple(map(max, self._closest[label], row))


def _words(question: str, entities: Sequence[LinkedEntity]) -> tuple[str, ...]:
    """The telling words of a question beside the names of its entities, each once."""
    rest = without_names(question, (entity.mention for entity in entities))
    if is_cjk(rest):
        found = [w for w in word_cutter().cut(rest) if len(w.strip()) > 1 and is_cjk(w)]
    else:
        found = [t.text.lower() for t in tokens(rest) if t.text.lower() not in STOP_WORDS]
    return tuple(dict.fromkeys(word for word in found if len(word) > 1))


def _shared(word: str, label: str) -> float:
    """How much of a word's stem a label shares: 1 for the same word."""
    if is_cjk(word):
        return 1.0 if word in label or (is_cjk(label) and label in word) else 0.0
    own = fold(word)
    return max((_stem(own, token.folded) for token in tokens(label)), default=0.0)


def _stem(one: str, other: str) -> float:
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    share = common / max(len(one), len(other), 1)
    if one == other and len(one) > 2:
        return 1.0
    return share if common >= SHORTEST_STEM and share >= SHARED_STEM else 0.0


def chains_between(
    reading: Reading, entities: Sequence[LinkedEntity], query: ChainQuery
) -> ChainSet:
    """The chains that join the entities, but for a name and one inside it.

    头部 inside 头部及眼后部疼痛 anchors chains to other entities, which are worth less than those
    between whole names; how the two of one name hang together is not what a question asks.
    """
    apart = frozenset(
        frozenset((one.iri, other.iri))
        for one in entities
        for other in entities
        if one.iri != other.iri and other.nested and _is_within(other.mention, one.mention)
    )
    nested = frozenset(entity.iri for entity in entities if entity.nested)
    asked = replace(query, apart=apart, nested=nested)
    return reading.chains([entity.iri for entity in entities], asked)


def _is_within(part: str, whole: str) -> bool:
    """Whether a name stands in another one, in whole words where words are written apart."""
    inner, outer = fold(part), fold(whole)
    if not is_cjk(whole):
        inner, outer = f" {inner} ", f" {outer} "
    return bool(inner) and inner in outer


def expansions(
    reading: Reading, entity: LinkedEntity, worth: RelationWorth, query: ChainQuery
) -> tuple[tuple[Path, ...], bool]:
    """Guided expansion: paths of two hops from one entity, where the question asks for them.

    It does when it names a relation, or asks for an aspect, that the neighbours have and the
    entity itself has not. The second hop must be such a relation. Also whether the search was
    complete.
    """
    own = reading.triples(entity.iri)
    relations = _distinct(triple.relation for triple in own.triples)
    missing = set(worth.words) - worth.named_by(relations)
    answered = {t.relation.aspect for t in own.triples if answers(t, entity.iri)}
    unanswered = set(worth.aspects) - answered
    if not missing and not unanswered:
        return (), True
    found = reading.chains([entity.iri], query)
    fitting = tuple(
        path for path in found.chains if _serves(path.hops, worth, frozenset(missing), unanswered)
    )
    return fitting, found.complete


def _serves(
    hops: Sequence[Hop], worth: RelationWorth, missing: frozenset[str], unanswered: set[str]
) -> bool:
    last = hops[-1]
    middle = (last.triple.subject if last.forward else last.triple.object).key or ""
    if last.triple.relation.aspect in unanswered and answers(last.triple, middle):
        # What has the same cause, back and forth, tells of that cause nothing new.
        return hops[0].triple.relation != last.triple.relation or hops[0].forward == last.forward
    return not missing.isdisjoint(worth.named_by([last.triple.relation]))


def _distinct(relations: object) -> list[Relation]:
    return list(dict.fromkeys(relations))  # type: ignore[call-overload]


def ends(hops: Sequence[Hop]) -> tuple[str, str]:
    """The keys of the first and the last entity of a chain."""
    first, last = hops[0], hops[-1]
    start = first.triple.subject if first.forward else first.triple.object
    end = last.triple.object if last.forward else last.triple.subject
    return start.key or "", end.key or ""


def chain_text(path: Path) -> str:
    """A chain as rankers read it: its statements, one after the other."""
    return "; ".join(triple_text(hop.triple) for hop in path.hops)


def chain_evidence(
    path: Path,
    scores: Mapping[str, float],
    guesses: frozenset[str] = frozenset(),
    fragment: str | None = None,
) -> Evidence:
    """A chain as an evidence item; one of a single hop is that triple.

    `guesses` are the entities that only the hypothesis brought.
    """
    origin: Origin = "hypothesis" if guesses.intersection(ends(path.hops)) else "question"
    hops: tuple[Hop, ...] = path.hops
    if len(hops) == 1:
        hops = (Hop(hops[0].triple),)
        key = evidence_key("triple", hops)
        return Evidence(
            key, "triple", hops, chain_text(path), origin, dict(scores), fragment=fragment
        )
    key = evidence_key(path.kind, hops)
    return Evidence(key, path.kind, hops, chain_text(path), origin, dict(scores), fragment=fragment)

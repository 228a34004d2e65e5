"""The order of an entity's triples for one question: KG-Rank's rankings, with aspects.

Stages: shared words cut a hub entity down to the `keep` best; an encoder compares them with the
question (*similarity*) or with question and draft (*expansion*); a re-ranker reads them; *mmr*
takes what is unlike the rest. The aspects of the question and how often a fact holds add to the
scores before the re-ranker, and never filter. A question that names the entity alone gives nothing
to compare with: what a fact tells of it decides (kg.ranking.salience).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.model import Evidence, Hop, Triple, evidence_key
from kg.protocols import Encoder, Reranker
from kg.ranking.bonus import JOIN_WEIGHT, Question, answers, bonus
from kg.ranking.encoding import encoded_in_time
from kg.ranking.hub import Job
from kg.ranking.lexical import lexical_similarity, lexical_vectors
from kg.ranking.mmr import mmr_picks
from kg.ranking.reranking import LEAST_RERANKED, scored_in_time
from kg.ranking.salience import salience

__all__ = [
    "Question",
    "Ranked",
    "Ranker",
    "answers",
    "fact_evidence",
    "rank_triples",
    "triple_text",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """How to rank. Encoder and re-ranker must be ones that may rank the question's language.

    `encoder` None compares by shared words; `draft` is the answer that *expansion* compares with
    beside the question. Both numbers are per concept (NOTES): `keep` are encoded and re-ranked,
    `top` stay. `deadline` is the re-ranker's, which scores `least` in any case; `encoder_deadline`
    None lets the encoder finish.
    """

    deadline: Deadline
    mode: Literal["similarity", "expansion", "mmr"] = "similarity"
    encoder: Encoder | None = None
    reranker: Reranker | None = None
    draft: str | None = None
    keep: int = 200
    top: int = 20
    least: int = LEAST_RERANKED
    encoder_deadline: Deadline | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """Evidence, best first; `reranked` of the `asked` were re-ranked; which models `failed`.

    Rank the next entity without those, so as not to wait for them again. `complete` is False when
    the encoder's time ended before all that were kept were encoded.
    """

    evidence: tuple[Evidence, ...]
    reranked: int = 0
    asked: int = 0
    failed: Mapping[Job, ModelError] = field(default_factory=dict)
    complete: bool = True


def triple_text(triple: Triple) -> str:
    """`subject relation object`, the text of a triple in the KG-Rank paper."""
    return f"{triple.subject.label} {triple.relation.label} {triple.object.label}"


def rank_triples(question: Question, triples: Sequence[Triple], ranker: Ranker) -> Ranked:
    """The `top` best triples as evidence, best first, with their scores; `rank` is not set.

    Scores: "lexical", then "similarity" or "expansion" where an encoder or a draft is there, "mmr"
    and "rerank" where used; "score" is what the order is by. Those come without the bonus for
    aspect and frequency, which "score" holds until a re-ranker decides. In `mmr`, "score" is the
    value when taken. "salience" stands in for the first two where the question names the entity
    alone. What a model had no time for stands behind what it scored. A model that does not answer
    is left out, and `failed` says so: without the encoder shared words decide.
    """
    if question.alone and not ranker.draft:
        ranker = replace(ranker, encoder=None)
        items = _telling(question, triples, ranker.keep)
        stage = compared = ""
    else:
        stage, compared = _to_compare(question, ranker)
        items = _cheapest(question, compared, triples, ranker.keep)
    if not items:
        return Ranked(())
    failed: dict[Job, ModelError] = {}
    if stage:
        try:
            items = _compared(items, compared, stage, ranker)
        except ModelError as error:
            failed["encoder"] = error
    encoded = sum(item.vector is not None for item in items)
    complete = bool(failed) or ranker.encoder is None or encoded == len(items)
    done, asked = 0, len(items) if ranker.reranker else 0
    if ranker.reranker:
        pairs = [(question.text, item.text) for item in items]
        scored = scored_in_time(ranker.reranker, pairs, ranker.deadline, ranker.least)
        failed |= {"re-ranker": scored.problem} if scored.problem else {}
        done = len(scored.scores)
        items = [*_by_reranker(items[:done], scored.scores), *items[done:]]
    if ranker.mode == "mmr":
        pool = done or encoded or len(items)
        items = [*_diverse(items[:pool], ranker.top), *items[pool:]]
    evidence = (
        fact_evidence(item.triple, {**item.scores, "score": item.score})
        for item in items[: ranker.top]
    )
    return Ranked(tuple(evidence), done, asked, failed, complete)


@dataclass(slots=True)
class _Item:
    """A triple on its way through the stages; `score` is what it is ordered by now."""

    triple: Triple
    text: str
    bonus: float
    scores: dict[str, float]
    score: float
    vector: NDArray[np.floating] | None = None


def _to_compare(question: Question, ranker: Ranker) -> tuple[str, str]:
    """The name of the comparison, and the text that triples are compared with."""
    if ranker.mode == "expansion" and ranker.draft:
        return "expansion", f"{question.text}\n{ranker.draft}"
    return "similarity", question.text


def _telling(question: Question, triples: Sequence[Triple], keep: int) -> list[_Item]:
    """The best `keep` by what they tell of the entity; what joins it to another named one first."""
    items = []
    for triple, told in zip(triples, salience(question.entity, triples).tolist(), strict=True):
        score = told + JOIN_WEIGHT * question.joins((triple,))
        items.append(_Item(triple, triple_text(triple), 0.0, {"salience": told}, score))
    return _sorted(items)[:keep]


def _cheapest(
    question: Question, compared: str, triples: Sequence[Triple], keep: int
) -> list[_Item]:
    """The best `keep` by shared words and bonus."""
    texts = [triple_text(triple) for triple in triples]
    items = []
    for triple, text, lexical in zip(
        triples, texts, lexical_similarity(compared, texts), strict=True
    ):
        added = bonus(question, triple)
        scores = {"lexical": float(lexical)}
        items.append(_Item(triple, text, added, scores, _rounded(lexical + added)))
    return _sorted(items)[:keep]


def _compared(items: list[_Item], compared: str, stage: str, ranker: Ranker) -> list[_Item]:
    """The items in order of their likeness to the question, or to question and draft."""
    if ranker.encoder is None:
        if stage == "expansion":  # the shared words are those of the draft too
            for item in items:
                item.scores[stage] = item.scores["lexical"]
        return items
    texts = [compared, *(item.text for item in items)]
    vectors = encoded_in_time(ranker.encoder, texts, ranker.encoder_deadline)
    values = (vectors[1:] @ vectors[0]).astype(np.float64)
    done = len(values)
    for item, vector, value in zip(items[:done], vectors[1:], values, strict=True):
        item.vector = vector
        item.scores[stage] = float(value)
        item.score = _rounded(value + item.bonus)
    return [*_sorted(items[:done]), *items[done:]]


def _by_reranker(items: list[_Item], scores: NDArray[np.float64]) -> list[_Item]:
    """The items by the re-ranker's scores; equal ones keep their order."""
    for item, score in zip(items, scores, strict=True):
        item.scores["rerank"] = item.score = float(score)
    return sorted(items, key=lambda item: -item.score)


def _diverse(items: list[_Item], top: int) -> list[_Item]:
    """The `top` items as MMR takes them, by their vectors or, where one has none, their n-grams."""
    held = [item.vector for item in items if item.vector is not None]
    vectors = (
        np.stack(held)
        if len(held) == len(items)
        else lexical_vectors([item.text for item in items])
    )
    taken = []
    for index, value in mmr_picks(np.asarray([i.score for i in items]), vectors, top):
        items[index].scores["mmr"] = value
        taken.append(items[index])
    for item in taken:
        item.score = item.scores["mmr"]
    return taken


def _sorted(items: list[_Item]) -> list[_Item]:
    """By score; equal ones by text, so that the order never varies."""
    return sorted(items, key=lambda item: (-item.score, item.text))


def _rounded(value: float) -> float:
    return round(float(value), 5)


def fact_evidence(triple: Triple, scores: Mapping[str, float] | None = None) -> Evidence:
    """One triple as an evidence item."""
    hops = (Hop(triple),)
    return Evidence(
        evidence_key("triple", hops), "triple", hops, triple_text(triple), scores=scores or {}
    )

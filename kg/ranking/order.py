"""The order of an entity's triples for one question: KG-Rank's *similarity* with aspects.

The cheap score cuts a hub entity down to the `k` best before anything is encoded; the aspects of
the question and how often a fact holds add to both scores, and never filter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.joins import joins
from kg.model import Evidence, Hop, LinkedEntity, Triple, evidence_key
from kg.protocols import Encoder
from kg.qualifiers import band_of, frequency, line, share
from kg.ranking.lexical import lexical_similarity
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = [
    "ASPECT_WEIGHT",
    "FREQUENCY_WEIGHT",
    "Question",
    "answers",
    "rank_triples",
    "triple_text",
]

# A fact of the asked aspect outranks any other whose cosine is not far better: cosines of the
# triples of one entity seldom differ by more than this.
ASPECT_WEIGHT = 0.5
# Among the facts of one aspect, what holds more often is what a reader looks for first; a fact
# that holds as often as this, or nobody knows how often, neither gains nor loses.
FREQUENCY_WEIGHT = 0.6
NEUTRAL_FREQUENCY = 0.3
# Effects of a medicine are lists of hundreds: one with a known frequency goes before one without.
EFFECT_WEIGHTS = {"very frequent": 0.3, "frequent": 0.25, "occasional": 0.15, "rare": 0.1}
# A fact that another source states too.
AGREEMENT_WEIGHT = 0.2
# What is tried first is what a question on treatments asks for.
LINE_WEIGHTS = {"first": 0.2, "second": 0.1}
# A fact between two entities of the question is what it most likely asks for, whatever its aspect.
JOIN_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """What ranking needs to know of a question: its words, its aspects and whom it is about.

    `entity` is the one whose facts are ranked, `entities` all that the question names.
    """

    text: str
    aspects: tuple[str, ...]
    entity: str
    entities: tuple[LinkedEntity, ...] = ()


def triple_text(triple: Triple) -> str:
    """`subject relation object`, the text of a triple in the KG-Rank paper."""
    return f"{triple.subject.label} {triple.relation.label} {triple.object.label}"


def rank_triples(
    question: Question, triples: Sequence[Triple], encoder: Encoder | None, *, keep: int, top: int
) -> list[Evidence]:
    """The `top` best triples as evidence, best first, with their scores; `rank` is not set.

    `keep` are encoded, chosen by the cheap score. `encoder` None ranks by shared words alone.
    """
    texts = [triple_text(triple) for triple in triples]
    bonus = np.asarray([_bonus(question, triple) for triple in triples])
    lexical = lexical_similarity(question.text, texts)
    chosen = _best(lexical + bonus, texts, keep)
    if encoder is None or not chosen:
        scores, stage = lexical[chosen], "lexical"
    else:
        vectors = encoder.encode([question.text, *(texts[i] for i in chosen)])
        scores, stage = vectors[1:] @ vectors[0], "similarity"
    total = np.round(scores.astype(np.float64) + bonus[chosen], 5)
    order = _best(total, [texts[i] for i in chosen], top)
    return [
        fact_evidence(triples[chosen[i]], {stage: float(scores[i]), "score": float(total[i])})
        for i in order
    ]


def _bonus(question: Question, triple: Triple) -> float:
    bonus = _of_frequency(triple)
    bonus += LINE_WEIGHTS.get(line(triple) or "", 0.0)
    bonus += AGREEMENT_WEIGHT * (len(triple.sources) - 1)
    if joins((triple,), question.entities):
        bonus += JOIN_WEIGHT
    if triple.relation.aspect in question.aspects:
        bonus += ASPECT_WEIGHT if answers(triple, question.entity) else ASPECT_WEIGHT / 2
    return bonus


def _of_frequency(triple: Triple) -> float:
    if triple.relation.aspect == "side-effect":
        return EFFECT_WEIGHTS.get(band_of(triple) or "", 0.0)
    often = share(frequency(triple))
    return 0.0 if often is None else FREQUENCY_WEIGHT * (often - NEUTRAL_FREQUENCY)


def answers(triple: Triple, entity: str) -> bool:
    """Whether a question about `entity` expects this direction of the relation's aspect.

    "Symptoms of migraine" expects what migraine has, before the diseases that have migraine.
    """
    if triple.relation.aspect in SYMMETRIC:
        return True
    topic = triple.subject if topic_is_subject(triple.relation) else triple.object
    return topic.key == entity


def _best(scores: NDArray[np.float64], texts: Sequence[str], count: int) -> list[int]:
    """Indices of the highest scores; equal ones by text, so that the order never varies."""
    order = sorted(range(len(texts)), key=lambda i: (-float(scores[i]), texts[i], i))
    return order[:count]


def fact_evidence(triple: Triple, scores: Mapping[str, float] | None = None) -> Evidence:
    """One triple as an evidence item."""
    hops = (Hop(triple),)
    return Evidence(
        evidence_key("triple", hops), "triple", hops, triple_text(triple), scores=scores or {}
    )

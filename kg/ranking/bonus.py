"""What speaks for a fact beside its likeness to the question: aspect, direction, frequency, joins.

It adds to every score before the re-ranker, and never filters.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kg.joins import Joining
from kg.model import LinkedEntity, Triple
from kg.populations import Population, populations_in
from kg.qualifiers import band_of, frequency, line, share
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = ["ASPECT_WEIGHT", "FREQUENCY_WEIGHT", "JOIN_WEIGHT", "Question", "answers", "bonus"]

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
# A fact that is said of the people that the question speaks of.
PEOPLE_WEIGHT = 0.5
# A fact between two entities of the question is what it most likely asks for, whatever its aspect.
JOIN_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """What ranking needs to know of a question: its words, its aspects and whom it is about.

    `entity` is the one whose facts are ranked, `entities` all that the question names; `alone`
    says that it holds nothing but their names ("tell me about migraine"). `joins` tells whether
    facts join two of them.
    """

    text: str
    aspects: tuple[str, ...]
    entity: str
    entities: tuple[LinkedEntity, ...] = ()
    alone: bool = False
    joins: Joining = field(init=False, repr=False, compare=False)
    people: tuple[Population, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look at the entities' names once, not for every fact."""
        object.__setattr__(self, "joins", Joining(self.entities))
        object.__setattr__(self, "people", populations_in(self.text))


def bonus(question: Question, triple: Triple) -> float:
    """What is added to the likeness of a fact to a question."""
    added = _of_frequency(triple)
    added += LINE_WEIGHTS.get(line(triple) or "", 0.0)
    added += AGREEMENT_WEIGHT * (len(triple.sources) - 1)
    if question.people and _is_for(triple, question.people):
        added += PEOPLE_WEIGHT
    if question.joins((triple,)):
        added += JOIN_WEIGHT
    if triple.relation.aspect in question.aspects:
        added += ASPECT_WEIGHT if answers(triple, question.entity) else ASPECT_WEIGHT / 2
    return added


def _is_for(triple: Triple, people: tuple[Population, ...]) -> bool:
    values = [value for _, value in triple.qualifiers]
    return any(one.fact.search(value) for one in people for value in values)


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

"""A fact about a medicine that may have to be told, and what the question names beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.answering.statements import roles_of
from kg.deadline import Deadline
from kg.joins import joins
from kg.model import Entity, LinkedEntity, Triple
from kg.protocols import KnowledgeGraph
from kg.text import fold, is_cjk

__all__ = ["Asked", "Fact"]

_SHORTEST_NAME = {True: 2, False: 4}  # characters of a name that is looked for in a text


@dataclass(frozen=True, slots=True)
class Fact:
    """What is told of a medicine. `includes`: what is asked about is a kind of its other end."""

    medicine: Entity
    triple: Triple
    includes: str = ""

    @property
    def other(self) -> Entity:
        """The end that is not the medicine."""
        subject, obj = self.triple.subject, self.triple.object
        return obj if subject.key == self.medicine.key else subject


class Asked:
    """The entities of the question, and what the graph says they are kinds of.

    That is read when it is first needed: most answers name nothing that could be contraindicated.
    """

    def __init__(
        self,
        entities: Sequence[LinkedEntity],
        graph: KnowledgeGraph,
        language: str,
        deadline: Deadline,
    ) -> None:
        self._entities = entities
        self._graph, self._language, self._deadline = graph, language, deadline
        self._kinds: dict[str, tuple[LinkedEntity, ...]] | None = None

    def names(self, fact: Fact) -> bool:
        """Whether the other end of a medicine's fact is one of them, or a kind of one."""
        medicine, other = fact.medicine, fact.other
        own = LinkedEntity(medicine.label, medicine.key or "", medicine.label, 1.0, "exact")
        return any(
            _speaks_of(other.label, entity)
            if other.iri is None
            else joins((fact.triple,), (own, entity))
            for entity in self._entities
            if entity.iri != medicine.key
        )

    def kind_of(self, fact: Fact) -> str:
        """The label of one of them that is a kind of the other end; "" when none is.

        Raises DeadlineExceeded.
        """
        if fact.other.key is None:
            return ""
        if self._kinds is None:
            self._kinds = {}
            for entity in self._entities:
                for key in self._above(entity):
                    self._kinds[key] = (*self._kinds.get(key, ()), entity)
        kinds = self._kinds.get(fact.other.key, ())
        return next((one.label for one in kinds if one.iri != fact.medicine.key), "")

    def _above(self, entity: LinkedEntity) -> dict[str, None]:
        """The keys of what the graph says that this is a kind of."""
        facts = self._graph.triples(entity.iri, self._language, self._deadline).triples
        classified = [roles_of(t) for t in facts if t.relation.aspect == "classification"]
        above = [r.topic.key for r in classified if r.value.key == entity.iri]
        return dict.fromkeys(key for key in above if key)


def _speaks_of(text: str, entity: LinkedEntity) -> bool:
    """Whether a source's own sentence names an entity of the question."""
    folded = fold(text)
    for name in dict.fromkeys(map(fold, (entity.label, entity.mention))):
        chinese = is_cjk(name)
        if len(name) < _SHORTEST_NAME[chinese]:
            continue
        if name in folded if chinese else f" {name} " in f" {folded} ":
            return True
    return False

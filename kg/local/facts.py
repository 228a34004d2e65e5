"""The facts that touch one entity, in both directions, merged over the sources.

All ids of the entity count. The same fact of several sources is one (kg.local.telling). An
entity's description counts as a fact about it: the best one of each source for the language.

An unnamed node as object that says nothing readable, and a fact whose subject is unnamed, are left
out and counted in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from kg.deadline import Deadline
from kg.local.snapshot import Snapshot
from kg.local.telling import Fact, Statement, Telling, in_words
from kg.model import Triple, TripleSet

__all__ = ["LIMIT", "facts_of"]

LIMIT = 5_000  # facts shown of one entity
_EVERY = 256  # statements between two looks at the clock

_log = logging.getLogger(__name__)


def facts_of(snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> TripleSet:
    """All facts with the entity as subject or object; cut off at LIMIT or at the deadline."""
    reader = _Reader(snapshot, iri, language, deadline)
    complete = reader.collect()
    if reader.left_out:
        _log.info("%d statements on unnamed nodes left out for %s", reader.left_out, iri)
    return TripleSet(reader.triples(), complete)


class _Reader:
    def __init__(self, snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> None:
        self._snapshot = snapshot
        self._ids = snapshot.clusters([iri])[iri]
        self._language, self._deadline = language, deadline
        self._statements: list[Statement] = []
        self.left_out = 0

    def collect(self) -> bool:
        """Read the statements; whether all were read."""
        for number, statement in enumerate(self._stated()):
            if number % _EVERY == 0 and self._deadline.expired:
                return False
            if len(self._statements) >= LIMIT:
                return False
            if self._is_readable(statement):
                self._statements.append(statement)
            else:
                self.left_out += 1
        for graph, iri, predicate, text in self._snapshot.descriptions(self._ids, self._language):
            self._statements.append(Statement(graph, iri, predicate, text))
        return True

    def _stated(self) -> Iterator[Statement]:
        own = set(self._ids)
        for iri in self._ids:
            for edge in self._snapshot.edges(iri):
                if not {edge.subject, edge.object} <= own or edge.subject == edge.object == iri:
                    yield Statement(*edge)
            for graph, relation, value in self._snapshot.values(iri):
                yield Statement(graph, iri, relation, value)

    def _is_readable(self, statement: Statement) -> bool:
        if statement.subject.startswith("_:"):
            return False
        value = statement.object
        unnamed = isinstance(value, str) and value.startswith("_:")
        return not unnamed or in_words(self._snapshot, str(value), self._language) is not None

    def triples(self) -> tuple[Triple, ...]:
        """The collected facts as triples, in a fixed order."""
        telling = Telling(self._snapshot, self._statements, self._language)
        facts: dict[Fact, list[int]] = {}
        for place in sorted(range(len(self._statements)), key=lambda i: self._order(i, telling)):
            facts.setdefault(telling.fact(place), []).append(place)
        return tuple(telling.triple(places) for places in facts.values())

    def _order(self, place: int, telling: Telling) -> tuple[object, ...]:
        """Facts by what they are about, the statements of one fact by source."""
        subject, relation, value = telling.fact(place)
        one = self._statements[place]
        end = (0, value) if isinstance(value, str) else (1, value)
        return (
            subject,
            relation,
            end,
            one.graph.value,
            one.subject,
            str(one.object),
        )

"""The facts that touch one entity, in both directions, merged over the sources; or its texts alone.

All ids of the entity count. The same fact of several sources is one (kg.local.telling). An
entity's description counts as a fact about it: the best one of each source for the language.

An unnamed node as object that says nothing readable, and a fact whose subject is unnamed, are left
out and counted in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from kg.deadline import Deadline
from kg.local.relations import relations_of
from kg.local.snapshot import Snapshot
from kg.local.stated import fair_shares, grouped
from kg.local.telling import Fact, Statement, Telling, in_words
from kg.model import Triple, TripleSet

__all__ = ["LIMIT", "descriptions_of", "facts_of"]

LIMIT = 5_000  # facts shown of one entity, its texts not counted
_EVERY = 256  # statements between two looks at the clock

_log = logging.getLogger(__name__)


def facts_of(snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> TripleSet:
    """All facts with the entity as subject or object; of more than LIMIT, or late, some of each."""
    reader = _Reader(snapshot, iri, language, deadline)
    complete = reader.collect()
    if reader.left_out:
        _log.info("%d statements on unnamed nodes left out for %s", reader.left_out, iri)
    return TripleSet(reader.triples(), complete)


def descriptions_of(
    snapshot: Snapshot, iris: Sequence[str], language: str, deadline: Deadline
) -> TripleSet:
    """What `facts_of` has of texts that say what these are; a hub's other facts are not read."""
    triples: dict[Triple, None] = {}
    for iri in iris:
        if deadline.expired:
            return TripleSet(tuple(triples), complete=False)
        reader = _Reader(snapshot, iri, language, deadline)
        reader.collect_descriptions()
        triples |= dict.fromkeys(reader.triples())
    return TripleSet(tuple(triples))


class _Reader:
    def __init__(self, snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> None:
        self._snapshot = snapshot
        self._ids = snapshot.clusters([iri])[iri]
        self._language, self._deadline = language, deadline
        self._statements: list[Statement] = []
        self.left_out = 0

    def collect(self) -> bool:
        """Read the statements; whether all were read.

        Of a hub a fair share of every relation and direction is read, and small groups first, so
        that neither LIMIT nor the clock leaves out the few facts of one kind for the many of
        another.
        """
        if self._deadline.expired:
            return False
        found = grouped(self._snapshot, self._ids)
        self.left_out = found.unnamed
        self._statements += self._best_texts()
        shares = fair_shares([len(group) for group in found.groups], LIMIT)
        stated = (
            statement
            for group, share in zip(found.groups, shares, strict=True)
            for statement in group.statements(share)
        )
        for number, statement in enumerate(stated, 1):
            if number % _EVERY == 0 and self._deadline.expired:
                return False
            if self._is_readable(statement):
                self._statements.append(statement)
            else:
                self.left_out += 1
        return sum(shares) == sum(len(group) for group in found.groups)

    def collect_descriptions(self) -> None:
        """Read the statements that are texts about the entity."""
        stated = [
            statement
            for iri in self._ids
            for statement in (
                *(Statement(*edge) for edge in self._snapshot.edges_to_unnamed(iri)),
                *(Statement(graph, iri, name, v) for graph, name, v in self._snapshot.values(iri)),
            )
        ]
        relations = relations_of(self._snapshot, {one.relation for one in stated}, self._language)
        self._statements += [
            one
            for one in stated
            if relations[one.relation].aspect == "definition" and self._is_readable(one)
        ]
        self._statements += self._best_texts()

    def _best_texts(self) -> Iterator[Statement]:
        for found in self._snapshot.descriptions(self._ids, self._language):
            yield Statement(found.graph, found.subject, found.predicate, found.text)

    def _is_readable(self, statement: Statement) -> bool:
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

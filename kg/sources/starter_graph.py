"""The starter graph that ships with Graphcite: every Turtle file of kg/sources/starter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from pyoxigraph import NamedNode

from kg.errors import BadInput
from kg.sources.rdf.importer import RdfImporter
from kg.sources.statements import Progress, Statement
from kg.sources.vocabulary import GC, RDF_TYPE, RELATIONS, TYPES, vocabulary_statements

__all__ = ["StarterImporter"]


class StarterImporter(RdfImporter):
    """Reads the packaged files as any other RDF, and names the relations and types they use."""

    def __init__(self, given: Sequence[Path] = ()) -> None:
        if given:
            raise BadInput("The starter graph comes with Graphcite: give no path.")
        folder = Path(str(files("kg.sources"))) / "starter"
        paths = sorted(folder.glob("*.ttl")) if folder.is_dir() else []
        if not paths:
            raise BadInput("This installation has no starter graph: install Graphcite again.")
        super().__init__(paths)

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """All statements of all files, then labels and aspects of our vocabulary's terms."""
        used: set[str] = set()
        for statement in super().statements(progress):
            used.add(statement.predicate.value)
            if statement.predicate.value == RDF_TYPE and isinstance(statement.object, NamedNode):
                used.add(statement.object.value)
            yield statement
        ours = {iri for iri in (*RELATIONS, *TYPES) if iri.startswith(GC)}
        yield from vocabulary_statements(sorted(used & ours))

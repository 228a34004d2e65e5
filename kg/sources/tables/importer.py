"""Tables (TSV, CSV) by a mapping file that says what their columns mean.

Mappings that we ship are called by name, a user's own by its path; mappings/README.md describes
the format. Rows are streamed: held in memory are a mapping's lookups, and which of the things
that it alone knows it has labelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kg.errors import BadInput
from kg.sources.statements import Progress, Skipped, SourceDetails, Statement
from kg.sources.tables.files import Files, FoundFile
from kg.sources.tables.lookups import Find, read_lookup
from kg.sources.tables.mapping import load_mapping
from kg.sources.tables.nodes import Nodes
from kg.sources.tables.rows import Layout, Rows, open_rows
from kg.sources.tables.specs import Detail, Input, Table, TableMapping
from kg.sources.tables.statements import EntityWriter, FactWriter
from kg.sources.tables.values import Place, Scope

__all__ = ["TableImporter"]

_EVERY = 20_000
_NO_FILE = Input("", (), Layout(), True, (), (), ())


class TableImporter:
    """Reads the files that a mapping names, table by table in the mapping's order.

    Raises BadInput for a mapping that cannot be used, and for files that it has no use for or
    that it misses.
    """

    def __init__(self, mapping: str, paths: Sequence[Path]) -> None:
        self._mapping = load_mapping(mapping)
        self._nodes = Nodes(self._mapping)
        _check_terms(self._mapping, self._nodes)
        self._files = Files(self._mapping, paths)
        # Every table and lookup must have its file before anything is read.
        self._of_table = [self._files.of(table.input) for table in self._mapping.tables]
        self._of_lookup = [
            self._files.of(lookup.input) if lookup.input else [] for lookup in self._mapping.lookups
        ]
        if not any(self._of_table):
            raise BadInput(f"No file given holds a table of mapping {self._mapping.name}.")
        self.details = SourceDetails()
        self.skipped = Skipped()
        self.repaired = Skipped()
        self.inputs = [file.path for file in self._files.used]
        self.settings = self._mapping.digest

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """All statements of all tables."""
        _fill(self.details, self._mapping, {})
        done = 0
        for statement in self._constants():
            done += 1
            yield statement
        lookups = self._lookups(progress)
        for table, files in zip(self._mapping.tables, self._of_table, strict=True):
            for file in files:
                for statement in self._read(table, file, lookups):
                    done += 1
                    if done % _EVERY == 0:
                        progress(f"reading {file.label}", done, None)
                    yield statement
        progress("reading", done, done)

    def _constants(self) -> Iterator[Statement]:
        """The entities that the mapping itself describes."""
        place = Place(self._mapping.name, self.skipped)
        scope = Scope(_NO_FILE, (), {}, place)
        for spec in self._mapping.entities:
            row = scope.row(())
            if row is not None:
                yield from EntityWriter(spec, scope, self._nodes, place).statements(row)

    def _lookups(self, progress: Progress) -> dict[str, Find]:
        known: dict[str, Find] = {}
        for lookup, files in zip(self._mapping.lookups, self._of_lookup, strict=True):
            progress(f"reading {lookup.name}", 0, None)
            known[lookup.name] = read_lookup(lookup, files, known, self.skipped)
        return known

    def _read(
        self, table: Table, file: FoundFile, lookups: Mapping[str, Find]
    ) -> Iterator[Statement]:
        layout = table.input.layout
        with open_rows(file.path, file.label, layout, self.skipped) as rows:
            place = Place(file.label, self.skipped)
            scope = Scope(table.input, rows.columns, lookups, place)
            writers: list[EntityWriter | FactWriter] = [
                *(EntityWriter(spec, scope, self._nodes, place) for spec in table.entities),
                *(FactWriter(spec, scope, self._nodes, place) for spec in table.facts),
            ]
            yield from self._written(rows, scope, place, writers)

    def _written(
        self, rows: Rows, scope: Scope, place: Place, writers: Sequence[EntityWriter | FactWriter]
    ) -> Iterator[Statement]:
        has_details = False
        for line, cells in rows:
            if not has_details:
                has_details = True
                _fill(self.details, self._mapping, rows.header)
            place.at(line)
            row = scope.row(cells)
            if row is not None:
                for writer in writers:
                    yield from writer.statements(row)


def _fill(details: SourceDetails, mapping: TableMapping, header: Mapping[str, str]) -> None:
    """Fill empty fields from the mapping's [source] and the comments of a file."""
    for name, detail in mapping.details.items():
        text = _text(detail, header)
        if text and not getattr(details, name):
            setattr(details, name, text)
    details.titles = details.titles or dict(mapping.titles)


def _text(detail: Detail, header: Mapping[str, str]) -> str | None:
    if detail.header is None:
        return detail.text
    text = header.get(detail.header)
    if text is None or detail.pattern is None:
        return text
    match = detail.pattern.search(text)
    return (match.group(1) if detail.pattern.groups else match.group()) if match else None


def _check_terms(mapping: TableMapping, nodes: Nodes) -> None:
    """Raise BadInput for relations and types that the mapping writes out and nobody knows."""
    entities = [*mapping.entities, *(one for table in mapping.tables for one in table.entities)]
    written = [
        (one.place, "type", text)
        for one in entities
        for template in one.types
        if (text := template.constant) is not None and not nodes.knows_type(text)
    ]
    written += [
        (one.place, "relation", text)
        for table in mapping.tables
        for one in table.facts
        if (text := one.relation.constant) is not None and not nodes.knows_relation(text)
    ]
    written += [
        (f"{table.input.place}, value {value.name!r}", "relation or type", text)
        for table in mapping.tables
        for value in table.input.values
        for text in (value.map or {}).values()
        if text.startswith("gc:") and not (nodes.knows_relation(text) or nodes.knows_type(text))
    ]
    for place, kind, text in written:
        raise BadInput(f"{place}: unknown {kind} {text!r}; {nodes.known(kind)}.")

"""What a mapping says, as values: how files are read, and which statements their rows make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from kg.sources.tables.rows import Layout
from kg.sources.tables.templates import OWN, Template

__all__ = [
    "Condition",
    "Detail",
    "EntitySpec",
    "FactSpec",
    "Input",
    "Lookup",
    "OwnTerm",
    "Table",
    "TableMapping",
    "Texts",
    "ValueSpec",
    "local_base",
    "templates_of",
]

# Templates with the language of what they make, None where there is none.
Texts = tuple[tuple[str | None, Template], ...]


@dataclass(frozen=True, slots=True)
class ValueSpec:
    """A value made from a row: `source`, then each step that is set, in this order."""

    name: str
    source: Template
    split: str | None = None
    axiom: str | None = None
    pattern: re.Pattern[str] | None = None
    replace: tuple[tuple[re.Pattern[str], str], ...] = ()
    map: Mapping[str, str] | None = None
    lookup: str | None = None
    otherwise: Template | None = None  # where map or lookup know nothing
    format: Template | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns and values that it is made from."""
        made_from = (self.source, self.otherwise, self.format)
        return tuple(name for one in made_from if one for name in one.names if name != OWN)


@dataclass(frozen=True, slots=True)
class Condition:
    """What a column or value must be for a row to count."""

    name: str
    holds: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Input:
    """Which files are read, how, and what their rows hold."""

    place: str
    patterns: tuple[str, ...]
    layout: Layout
    is_optional: bool
    optional_columns: tuple[str, ...]  # empty where a file has none of that name
    conditions: tuple[Condition, ...]
    values: tuple[ValueSpec, ...]


@dataclass(frozen=True, slots=True)
class FactSpec:
    """Subject, relation and object (or text) of a statement, and what is said about it."""

    place: str
    subject: Template
    relation: Template
    object: Template | None
    texts: Texts
    references: tuple[Template, ...]
    qualifiers: tuple[tuple[str, Template], ...]
    aspect: Template | None


@dataclass(frozen=True, slots=True)
class EntitySpec:
    """What is said about one entity."""

    place: str
    id: Template
    types: tuple[Template, ...]
    labels: Texts
    synonyms: Texts
    loose_synonyms: Texts
    descriptions: Texts
    identifiers: tuple[Template, ...]
    same_as: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Files whose rows make statements."""

    input: Input
    facts: tuple[FactSpec, ...]
    entities: tuple[EntitySpec, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Key → values, from a file or from the mapping itself."""

    name: str
    input: Input | None
    key: Template
    gives: Template
    entries: Mapping[str, str]
    is_unique: bool  # a key of several values names none
    ignores_case: bool
    is_range: bool  # several numbers become one range
    weakest: tuple[str, ...]  # values that count only where there is no other


@dataclass(frozen=True, slots=True)
class OwnTerm:
    """A relation or a type that the mapping brings."""

    iri: str
    labels: Mapping[str, str]
    aspect: str | None = None


@dataclass(frozen=True, slots=True)
class Detail:
    """A text about the source: as it stands, or from a "key: value" of a file's comments."""

    text: str | None = None
    header: str | None = None
    pattern: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class TableMapping:
    """A whole mapping file; `digest` changes with its text."""

    name: str
    digest: str
    details: Mapping[str, Detail]
    titles: Mapping[str, str]
    prefixes: Mapping[str, str]
    relations: Mapping[str, OwnTerm]
    types: Mapping[str, OwnTerm]
    lookups: tuple[Lookup, ...]
    tables: tuple[Table, ...]
    entities: tuple[EntitySpec, ...]

    @property
    def patterns(self) -> tuple[str, ...]:
        """The names of the files that it reads."""
        inputs = [table.input for table in self.tables]
        inputs += [lookup.input for lookup in self.lookups if lookup.input]
        return tuple(dict.fromkeys(pattern for one in inputs for pattern in one.patterns))


def local_base(mapping: str) -> str:
    """The start of the IRIs of what has no identifier and is known to one mapping only."""
    return f"urn:graphcite:local:{quote(mapping, safe='')}:"


def templates_of(spec: FactSpec | EntitySpec) -> Iterator[Template]:
    """All templates of a fact or an entity."""
    for name in spec.__slots__:
        value = getattr(spec, name)
        for one in value if isinstance(value, tuple) else (value,):
            template = one[1] if isinstance(one, tuple) else one
            if isinstance(template, Template):
                yield template

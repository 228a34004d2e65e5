"""What an importer hands to the loader: statements, what it skipped, and what its source is.

A statement is one RDF triple with its references and qualifiers. Those two are not stored as RDF
but in the annotation index of the source (kg.local.segment).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from pyoxigraph import BlankNode, Literal, NamedNode

from kg.errors import BadInput

__all__ = [
    "ImportOptions",
    "ImportReport",
    "Importer",
    "Progress",
    "Skipped",
    "SourceDetails",
    "Statement",
    "checked_source_name",
]

# (stage, done, total or None): called every few thousand statements, never per statement.
Progress = Callable[[str, int, int | None], None]

SAMPLES = 5
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class Statement(NamedTuple):
    """One fact. Without `asserted` it only annotates a fact that is stated elsewhere."""

    subject: NamedNode | BlankNode
    predicate: NamedNode
    object: NamedNode | BlankNode | Literal
    references: tuple[str, ...] = ()
    qualifiers: tuple[tuple[str, str], ...] = ()
    asserted: bool = True


@dataclass(slots=True)
class Skipped:
    """What an importer left out or repaired: a count, and the first few in words."""

    count: int = 0
    samples: list[str] = field(default_factory=list)

    def add(self, sample: str) -> None:
        """Count one; the first few are kept to be shown."""
        self.count += 1
        if len(self.samples) < SAMPLES:
            self.samples.append(sample if len(sample) <= 300 else sample[:299] + "…")


@dataclass(slots=True)
class SourceDetails:
    """What a source says about itself; filled while its statements are read.

    `titles` are the title's translations by language.
    """

    title: str | None = None
    titles: dict[str, str] = field(default_factory=dict)
    version: str | None = None
    licence: str | None = None
    date: str | None = None
    homepage: str | None = None


class Importer(Protocol):
    """Reads files of one kind. `details`, `skipped` and `repaired` are complete at the end.

    While neither `inputs` nor `settings` change, an import of the same source changes nothing.
    """

    details: SourceDetails
    skipped: Skipped
    repaired: Skipped

    @property
    def inputs(self) -> Sequence[Path]:
        """The files that it reads."""
        ...

    @property
    def settings(self) -> str:
        """What else decides about its statements, as text."""
        ...

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """All statements, streamed; raises BadInput where the input cannot be used."""
        ...


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a user may set for an import; each kind reads those that concern it.

    `label_properties`, `synonym_properties` and `description_properties` (rdf) are IRIs;
    `languages` (umls) are LAT codes, `vocabularies` (umls) SAB codes, both all when empty;
    `suppressed` (umls) keeps suppressible names and relations. `details` (all kinds) go before
    what the source says about itself.
    """

    label_properties: tuple[str, ...] = ()
    synonym_properties: tuple[str, ...] = ()
    description_properties: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    suppressed: bool = False
    details: SourceDetails = field(default_factory=SourceDetails)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `unchanged`: the same statements were there, nothing was written."""

    name: str
    triples: int
    entities: int
    names: int
    skipped: int
    skipped_samples: tuple[str, ...]
    repaired: int
    repaired_samples: tuple[str, ...]
    unchanged: bool
    seconds: float


def checked_source_name(name: str) -> str:
    """The name itself, or BadInput saying what a source may be called."""
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"A source cannot be called {name!r}: use up to 64 of a-z, 0-9, '-', '_' and '.', "
            "a letter or digit first."
        )
    return name

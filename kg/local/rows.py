"""Rows of a source's tables: fields of text with a separator between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = ["SEPARATOR", "NameRow", "name_row", "name_rows", "row", "split"]

SEPARATOR = "\x1f"  # never in a label: kg.text.clean_label drops control characters


@dataclass(frozen=True, slots=True)
class NameRow:
    """One name of one entity. `kind`: 0 label, 1 exact synonym, 2 other synonym."""

    iri: str
    name: str
    language: str
    kind: int


def row(*fields: str) -> bytes:
    """The fields as one row; only the last one may hold the separator."""
    return SEPARATOR.join(fields).encode("utf-8", "surrogatepass")


def split(entry: bytes, times: int) -> list[str]:
    """The fields of a row, the last one with whatever separators it holds."""
    return entry.decode("utf-8", "surrogatepass").split(SEPARATOR, times)


def name_row(one: NameRow) -> bytes:
    """A name as its table keeps it."""
    text = f"{one.iri}{SEPARATOR}{one.language}{SEPARATOR}{one.kind}{SEPARATOR}{one.name}"
    return text.encode("utf-8", "surrogatepass")


def name_rows(entries: Iterable[bytes]) -> Iterator[NameRow]:
    """The rows of a name's entries."""
    for entry in entries:
        iri, language, kind, name = split(entry, 3)
        yield NameRow(iri, name, language, int(kind))

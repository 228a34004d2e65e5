"""Lookups: what a file, or the mapping itself, gives for a key. The only thing held in memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from kg.sources.statements import Skipped
from kg.sources.tables.files import FoundFile
from kg.sources.tables.rows import open_rows
from kg.sources.tables.specs import Lookup
from kg.sources.tables.values import Place, Scope, bindings

__all__ = ["Find", "combined", "read_lookup"]

Find = Callable[[str], Sequence[str]]
_RANGE = re.compile(
    r"[<≤]?\s*(\d+(?:\.\d+)?)\s*(%?)(?:\s*(?:-|–|to)\s*[<≤]?\s*(\d+(?:\.\d+)?)\s*(%?))?"
)


def read_lookup(
    lookup: Lookup, files: Iterable[FoundFile], known: Mapping[str, Find], skipped: Skipped
) -> Find:
    """The function from a key to what stands for it, in the order of the files and rows."""
    fold = str.casefold if lookup.ignores_case else str
    table: dict[str, tuple[str, ...]] = {}
    for key, text in [*lookup.entries.items()]:
        table[fold(key)] = (text,)
    for file in files:
        for key, text in _pairs(lookup, file, known, skipped):
            # No set: nearly all keys have one value, and order must not depend on hashes.
            before = table.get(fold(key), ())
            if text not in before:
                table[fold(key)] = (*before, text)
    if lookup.is_unique:
        table = {key: texts for key, texts in table.items() if len(texts) == 1}
    if lookup.is_range:
        table = {key: (combined(texts, lookup.weakest),) for key, texts in table.items()}
    nothing: tuple[str, ...] = ()
    return lambda text: table.get(fold(text), nothing)


def _pairs(
    lookup: Lookup, file: FoundFile, known: Mapping[str, Find], skipped: Skipped
) -> Iterator[tuple[str, str]]:
    if lookup.input is None:
        return
    place = Place(file.label, skipped)
    with open_rows(file.path, file.label, lookup.input.layout, skipped) as rows:
        scope = Scope(lookup.input, rows.columns, known, place)
        key, gives = scope.getter(lookup.key), scope.getter(lookup.gives)
        steps = scope.steps([lookup.key, lookup.gives])
        for line, cells in rows:
            place.at(line)
            row = scope.row(cells)
            for _ in bindings(steps, row) if row is not None else ():
                if row and (name := key(row)) and (text := gives(row)):
                    yield name, text


def combined(texts: Sequence[str], weakest: Sequence[str] = ()) -> str:
    """Several statements of how much as one: 2% and 5-8% are 2–8%; else the words, listed.

    Numbers come before words, and of words the `weakest` count only where there is no other.
    """
    numbers = [found for text in texts if (found := _RANGE.fullmatch(text))]
    percent = [found for found in numbers if "%" in found.group()]
    unit = "%" if percent else ""
    ends = sorted(
        {end for found in percent or numbers for end in found.group(1, 3) if end}, key=float
    )
    if ends:
        return f"{ends[0]}{unit}" if len(ends) == 1 else f"{ends[0]}–{ends[-1]}{unit}"
    strong = [text for text in texts if text not in weakest]
    return "; ".join(strong or texts)

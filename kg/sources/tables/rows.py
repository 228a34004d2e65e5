"""The rows of delimited text and of JSON objects, each with the line it stands on.

Rows are streamed. Nothing of a file is held but the row at hand, and of JSON, whose files are
bounded, the whole object. What the cells mean is not known here.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from kg.errors import BadInput
from kg.sources.files import InputFile
from kg.sources.statements import Skipped

__all__ = ["LONGEST_LINE", "Layout", "Rows", "open_rows"]

LONGEST_LINE = 16 << 20  # bytes of one line, and of one row whose cells hold several lines
LARGEST_JSON = 256 << 20  # bytes, unpacked
JSON_COLUMNS = ("key", "value", "place")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is to be read; without `columns` its first row names them."""

    delimiter: str | None = None  # None: a comma for .csv, else a tab
    columns: tuple[str, ...] = ()
    comment: str | None = None
    skip: int = 0  # lines before the table
    quoted: bool = True
    is_json: bool = False

    def delimiter_of(self, path: Path) -> str:
        """The delimiter that is set, else the one that the file's ending stands for."""
        is_csv = path.name.lower().removesuffix(".gz").endswith(".csv")
        return self.delimiter or ("," if is_csv else "\t")


@dataclass(slots=True)
class Rows:
    """An open table: its columns, what its comment lines before them say, and its rows."""

    label: str
    columns: tuple[str, ...]
    content: Iterator[tuple[int, Sequence[str]]]
    header: dict[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[int, Sequence[str]]]:
        return self.content


@contextmanager
def open_rows(path: Path, label: str, layout: Layout, skipped: Skipped) -> Iterator[Rows]:
    """Open a table; rows that cannot be read go to `skipped` with file and line.

    Raises BadInput for text that is not UTF-8, a line or row of more than 16 MB, a damaged
    gzip file and a quoted cell without an end.
    """
    with InputFile(path, "table", label).open() as file:
        if layout.is_json:
            yield Rows(label, JSON_COLUMNS, _json_rows(file, label))
        else:
            yield _delimited(file, label, layout, layout.delimiter_of(path), skipped)


def _delimited(
    file: IO[bytes], label: str, layout: Layout, delimiter: str, skipped: Skipped
) -> Rows:
    lines = _Lines(file, label, layout.comment)
    lines.pass_by(layout.skip)
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if layout.quoted else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    columns = layout.columns
    if not columns:
        first = next(_records(reader, lines, Skipped()), None)
        if first is None:
            raise BadInput(f"{label} is empty: its first row must name the columns.")
        columns = tuple(cell.strip() for cell in first[1])
    return Rows(label, columns, _rows(reader, lines, len(columns), skipped), lines.header)


class _Lines:
    """The lines of a file for csv.reader, bounded, without comments between rows."""

    def __init__(self, file: IO[bytes], label: str, comment: str | None) -> None:
        self.number = self.first = 0  # of the line read last, and of the row's first line
        self.header: dict[str, str] = {}
        self.ended = False
        self.label = label
        self._file = file
        self._comment = comment.encode() if comment else None
        self._size = 0
        self._is_before_rows = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while True:
            line = self._read()
            starts_row = not self.first
            if starts_row and self._comment and line.startswith(self._comment):
                self._remember(self._decoded(line)[len(self._comment.decode()) :])
                continue
            if starts_row:
                if not line.strip():
                    continue
                self.first, self._size, self._is_before_rows = self.number, 0, False
            self._size += len(line)
            if self._size > LONGEST_LINE:
                raise BadInput(
                    f"{self.label}, line {self.first}: a quoted cell goes on for more than "
                    f"{LONGEST_LINE >> 20} MB; close its quote, or set quote = false."
                )
            return self._decoded(line)

    def pass_by(self, count: int) -> None:
        """Leave out the next lines."""
        for _ in range(count):
            if not self._file.readline(LONGEST_LINE + 1):
                return
            self.number += 1

    def start_row(self) -> None:
        """The next line begins a row."""
        self.first = 0

    def _read(self) -> bytes:
        line = self._file.readline(LONGEST_LINE + 1)
        if not line:
            self.ended = True
            raise StopIteration
        self.number += 1
        if len(line) > LONGEST_LINE:
            raise BadInput(
                f"{self.label}, line {self.number}: longer than {LONGEST_LINE >> 20} MB; "
                "this is no table."
            )
        return line

    def _decoded(self, line: bytes) -> str:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            text = "\0" + str(error)
        if "\0" in text:
            raise BadInput(f"{self.label}, line {self.number}: not UTF-8 text; save it as UTF-8.")
        return text

    def _remember(self, comment: str) -> None:
        """Keep "key: value" of the comments before the table; deeper levels of YAML are not."""
        key, colon, value = comment.removeprefix(" ").partition(":")
        if self._is_before_rows and colon and key and not key[0].isspace() and value.strip():
            self.header.setdefault(key.strip(), value.strip().strip("\"'"))


def _records(
    reader: Iterator[list[str]], lines: _Lines, skipped: Skipped
) -> Iterator[tuple[int, list[str]]]:
    """Rows as csv reads them, with the line each begins on."""
    while True:
        lines.start_row()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if lines.ended:
                raise BadInput(
                    f"{lines.label}, line {lines.first}: a quoted cell is not closed before the "
                    "end of the file; close its quote, or set quote = false."
                ) from error
            skipped.add(f"{lines.label}, line {lines.first}: {error}")
            continue
        if cells is None:
            return
        yield lines.first, cells


def _rows(
    reader: Iterator[list[str]], lines: _Lines, width: int, skipped: Skipped
) -> Iterator[tuple[int, Sequence[str]]]:
    for number, cells in _records(reader, lines, skipped):
        if len(cells) == width or (len(cells) > width and not any(cells[width:])):
            yield number, cells[:width]
        else:
            skipped.add(f"{lines.label}, line {number}: {len(cells)} cells, not {width}")


def _json_rows(file: IO[bytes], label: str) -> Iterator[tuple[int, Sequence[str]]]:
    """A row for each value of an object of texts or lists of texts: its key, it, its place."""
    text = file.read(LARGEST_JSON + 1)
    if len(text) > LARGEST_JSON:
        raise BadInput(f"{label} holds more than {LARGEST_JSON >> 20} MB of JSON: make it a table.")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
        raise BadInput(f"{label} cannot be read as JSON: {reason}.", repr(error)) from error
    if not isinstance(content, dict):
        raise BadInput(f"{label} must hold one JSON object, each key with a text or a list.")
    for number, (key, values) in enumerate(content.items(), start=1):
        listed = values if isinstance(values, list) else [values]
        for place, value in enumerate(listed, start=1):
            if isinstance(value, str | int | float):
                yield number, (_sound(key), _sound(str(value)), str(place))


def _sound(text: str) -> str:
    """Text without lone surrogates, which JSON can escape and UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")

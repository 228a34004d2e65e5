"""The Rich Release Format of the UMLS: which files a folder holds, and the rows of one.

Columns stand between bars and every row ends with one; quotation marks are plain characters.
Rows with another number of columns are left out and counted with file and line. What the columns
mean is not known here, except that the first holds a concept (UMLS Reference Manual, chapter 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.errors import BadInput
from kg.sources.lines import LineFile
from kg.sources.statements import Skipped

__all__ = [
    "COLUMNS",
    "RrfTable",
    "concept_number",
    "concept_of",
    "find_tables",
    "is_table",
    "release_file",
]

COLUMNS = {
    "MRCONSO": 18, "MRREL": 16, "MRDEF": 8, "MRSTY": 6, "MRSAT": 13, "MRCUI": 7,
    "MRRANK": 4, "MRDOC": 4,
}  # fmt: skip
_FILE = re.compile(r"(MR[A-Z]+)\.RRF(\.[a-z]{2})?(\.gz)?", re.IGNORECASE)
_RELEASE = "release.dat"


def find_tables(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of each table that lie in these folders, in their META, or are given themselves.

    A table cut into parts (MRCONSO.RRF.aa.gz, MRCONSO.RRF.ab.gz) has several files.
    """
    found: dict[str, dict[str, Path]] = {}
    for file in _files(paths):
        match = _FILE.fullmatch(file.name)
        if match and match[1].upper() in COLUMNS:
            parts = found.setdefault(match[1].upper(), {})
            kept = parts.setdefault((match[2] or "").lower(), file)
            if not match[3] and kept.parent == file.parent:  # unpacked beside its .gz
                parts[(match[2] or "").lower()] = file
    return {table: _whole_or_parts(parts) for table, parts in found.items()}


def is_table(name: str) -> bool:
    """Whether a file of this name is one of the tables that are read."""
    match = _FILE.fullmatch(name)
    return match is not None and match[1].upper() in COLUMNS


def release_file(paths: Sequence[Path]) -> Path | None:
    """The file release.dat of the folders, or None."""
    return next((file for file in _files(paths) if file.name == _RELEASE), None)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        # A release keeps its tables in META; the folder that it unpacks to may be given, too.
        for folder in (path, path / "META", *sorted(path.glob("*/META"))):
            if inside := _inside(folder):
                yield from inside
                break


def _inside(folder: Path) -> list[Path]:
    """The tables in a folder, with the release file; empty without any table."""
    if not folder.is_dir():
        return []
    files = sorted(file for file in folder.iterdir() if file.is_file())
    tables = [file for file in files if _FILE.fullmatch(file.name)]
    return tables and [*tables, *(file for file in files if file.name == _RELEASE)]


def _whole_or_parts(parts: dict[str, Path]) -> list[Path]:
    return [parts[""]] if "" in parts else [parts[name] for name in sorted(parts)]


def concept_number(identifier: str) -> int | None:
    """A small number for a concept of the UMLS (C0011860) or the NCI Metathesaurus (CL123456).

    None for anything else. Numbers are below 2 × 10⁷.
    """
    local = identifier.startswith("CL")
    digits = identifier[2:] if local else identifier[1:]
    if not identifier.startswith("C") or not (digits.isdecimal() and digits.isascii()):
        return None
    if len(digits) != 7 and not (local and len(digits) == 6):
        return None
    if local and len(digits) == 7 and digits.startswith("0"):
        return None
    return 2 * int(digits) + local


def concept_of(number: int) -> str:
    """The identifier behind a number."""
    return f"CL{number // 2:06d}" if number % 2 else f"C{number // 2:07d}"


class RrfTable:
    """One table; `place` says in words where the last row stood."""

    def __init__(self, name: str, files: Sequence[Path], skipped: Skipped) -> None:
        self.name, self._skipped = name, skipped
        self._columns = COLUMNS[name]
        self._file = LineFile(files, skipped)
        self._number = 0

    @property
    def place(self) -> str:
        """File and line of the last row."""
        return f"{self._file.label}, line {self._number}"

    def rows(self, holding: str = "") -> Iterator[list[str]]:
        """The rows that hold a text, each a list of columns.

        Raises BadInput when no row has the right number of columns, and as LineFile does.
        """
        sound = broken = 0
        for number, line in self._file.lines():
            self._number = number
            if holding not in line or not line:
                continue
            row = line.split("|")
            if len(row) == self._columns + 1 and not row[-1]:
                row.pop()
            if len(row) == self._columns:
                sound += 1
                yield row
            else:
                broken += 1
                count = len(row) - (not row[-1])
                self.skip(f"{count} columns instead of {self._columns}")
        if broken and not sound:
            raise BadInput(
                f"No row of {self._file.label} has the {self._columns} columns of {self.name}: "
                "is it an RRF file of the UMLS?"
            )

    def skip(self, reason: str) -> None:
        """Count the last row as left out."""
        self._skipped.add(f"{self.place}: {reason}")

    def skip_unknown_concept(self, identifier: str) -> None:
        """Count the last row as left out for want of a concept.

        Raises BadInput for the parts of an .nlm archive: they leave out what a row shares with
        the row before it.
        """
        match = _FILE.fullmatch(self._file.label)
        if not identifier and match and match[2]:
            raise BadInput(
                f"{self.place} has no concept: in an .nlm archive the tables are packed. "
                "Run MetamorphoSys and give the folder META that it writes."
            )
        self.skip(f"{identifier!r} is no concept identifier")

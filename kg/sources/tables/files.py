"""Which of the files that were given a mapping reads, by their names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from kg.errors import BadInput
from kg.sources.tables.specs import Input, TableMapping

__all__ = ["FoundFile", "Files"]

_TABLES = ("*.tsv", "*.csv", "*.tab", "*.txt")  # of a folder, where the mapping names no files


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, what messages call it, and whether it was given by itself."""

    path: Path
    label: str
    is_given: bool

    @property
    def name(self) -> str:
        """Its whole path in lower case with slashes, without .gz."""
        return self.path.absolute().as_posix().lower().removesuffix(".gz")


class Files:
    """The files given, those in given folders included; BadInput where one has no use."""

    def __init__(self, mapping: TableMapping, paths: Sequence[Path]) -> None:
        self._mapping = mapping
        if not paths:
            raise BadInput(
                f"Nothing to import: give the files of mapping {mapping.name}, or a folder with "
                f"them ({_listed(mapping.patterns)})."
            )
        self._found = list(_found(paths))
        inputs = [table.input for table in mapping.tables]
        inputs += [lookup.input for lookup in mapping.lookups if lookup.input]
        self.used = [one for one in self._found if any(_fits(one, read) for read in inputs)]
        for file in self._found:
            if file.is_given and file not in self.used:
                raise BadInput(
                    f"{file.label} is no file of mapping {mapping.name}, which reads "
                    f"{_listed(mapping.patterns)}."
                )

    def of(self, read: Input) -> list[FoundFile]:
        """The files of a table or lookup; BadInput where it must have one and has none."""
        files = [file for file in self._found if _fits(file, read)]
        if not files and not read.is_optional:
            raise BadInput(
                f"{read.place}: there is no file {_listed(read.patterns or _TABLES)} among those "
                "given; give its folder too."
            )
        return files


def _found(paths: Sequence[Path]) -> Iterator[FoundFile]:
    seen: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found = [(one, str(one.relative_to(path.absolute().parent))) for one in _inside(path)]
        elif path.exists():
            found = [(path, path.name)]
        else:
            raise BadInput(f"There is no file {path}.")
        for file, label in found:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield FoundFile(file, label, is_given=not path.is_dir())


def _inside(folder: Path) -> Iterator[Path]:
    """The files below a folder in order, without hidden ones."""
    for parent, folders, files in os.walk(folder.absolute()):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in (Path(parent) / name for name in sorted(files)):
            if not file.name.startswith(".") and file.is_file():
                yield file


def _fits(file: FoundFile, read: Input) -> bool:
    """Whether the file's name fits; one that was given fits a table that names no files."""
    if not read.patterns and file.is_given:
        return True
    patterns = read.patterns or _TABLES
    return any(fnmatchcase(file.name, f"*/{pattern}") for pattern in patterns)


def _listed(patterns: Sequence[str]) -> str:
    return ", ".join(patterns) or ", ".join(_TABLES)

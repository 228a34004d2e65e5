"""Lines of large text files: several parts as one text, no line longer than memory allows.

A part that ends inside a line is continued by the next, as files cut by size are. Lines are cut
at the line feed only; what is in them is not looked at, except that text in UTF-16 or UTF-32 and
the pointers that Git leaves in the place of large files are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from kg.errors import BadInput
from kg.sources.files import InputFile
from kg.sources.statements import Skipped

__all__ = ["LONGEST_LINE", "LineFile"]

LONGEST_LINE = 16 << 20  # bytes
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_GIT_POINTER = b"version https://git-lfs.github.com/spec/"


class LineFile:
    """One text in one or more files, plain or gzipped, with or without a byte order mark.

    `label` names the file that is being read. Lines that are too long are left out and counted.
    """

    def __init__(self, parts: Sequence[Path], skipped: Skipped) -> None:
        self._parts = list(parts)
        self._skipped = skipped
        self.label = self._parts[0].name

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers in their file, without their ends.

        Raises BadInput for a file that is missing, cut off (gzip) or no UTF-8 text.
        """
        start = b""  # of a line that continues in the next part
        for part in self._parts:
            self.label = part.name
            with InputFile(part, "text", part.name).open() as file:
                for number, line in self._raw_lines(file):
                    if line.endswith(b"\n") or part is self._parts[-1]:
                        yield number, self._text(number, start + line)
                        start = b""
                    else:
                        start += line
        if start:  # the last part is empty
            yield 1, self._text(1, start)

    def _raw_lines(self, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            if number == 1:
                self._check_first(line)
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                self._skipped.add(f"{self.label}, line {number}: longer than 16 MB")
                while line and not line.endswith(b"\n"):
                    line = file.readline(LONGEST_LINE)
            else:
                yield number, line

    def _check_first(self, line: bytes) -> None:
        if line.startswith(_WIDE_MARKS) or b"\0" in line:
            raise BadInput(f"{self.label} is no UTF-8 text (UTF-16?): save it as UTF-8.")
        if line.startswith(_GIT_POINTER):
            raise BadInput(
                f"{self.label} is only a pointer to a file in Git LFS: fetch it with git lfs pull."
            )

    def _text(self, number: int, line: bytes) -> str:
        try:
            return line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise BadInput(
                f"{self.label}, line {number} is not UTF-8 text: save the file as UTF-8.",
                repr(error),
            ) from error

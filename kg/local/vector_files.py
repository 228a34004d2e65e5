"""Where the vectors of a graph's names lie, which there are, and how they are read.

    medical/vectors/<encoder>/<source>-<digest>/vectors.f16   half precision, one row per text
                                                places.npy    where the names table has a text …
                                                starts.npy    … of row i: from starts[i] on
                                                about.json    encoder, dimensions, counts; last

A folder is named by the digest of what was imported, so that an import of one source makes only
that source's vectors useless. kg.local.vector_building builds them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from kg.local.generations import SourceRecord, list_sources
from kg.local.table import open_array
from kg.protocols import Encoder
from kg.text import is_cjk

__all__ = [
    "ABOUT",
    "BUILDING",
    "FORMAT",
    "BuiltBy",
    "State",
    "VectorFile",
    "built_by",
    "folder_of",
    "may_encode",
    "name_of",
    "opened",
    "state_of",
]

FORMAT = 1
ABOUT = "about.json"
BUILDING = ".building"

# Finished builds and when each was finished, in nanoseconds.
State = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class BuiltBy:
    """An encoder that built vectors, and the languages that it was let read."""

    encoder: str
    languages: frozenset[str]


class _Open:
    """A file that can be read to the end of this object, though a build deletes it meanwhile."""

    def __init__(self, path: Path) -> None:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        weakref.finalize(self, os.close, handle)
        self._handle = handle

    def again(self) -> BinaryIO:
        """The file, for a while."""
        return os.fdopen(os.dup(self._handle), "rb")


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The finished vectors of one source: `path` holds `count` rows of `dimensions` float16."""

    path: Path
    count: int
    dimensions: int
    places: NDArray[np.uint64]
    starts: NDArray[np.uint64]
    _open: _Open = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_open", _Open(self.path))

    def chunk(self, first: int, last: int) -> NDArray[np.float16]:
        """Rows first to last, mapped: they take memory only as long as the array lives."""
        with self._open.again() as file:
            return np.memmap(
                file,
                dtype=np.float16,
                mode="r",
                offset=first * self.dimensions * 2,
                shape=(last - first, self.dimensions),
            )

    def places_of(self, row: int) -> NDArray[np.int64]:
        """The places in the names table that hold the text of a row."""
        return self.places[int(self.starts[row]) : int(self.starts[row + 1])].astype(np.int64)


def may_encode(encoder: Encoder, name: str) -> bool:
    """Whether a name is in a script that the encoder reads: no Chinese for an English one."""
    if is_cjk(name):
        return "zh" in encoder.languages
    return bool(encoder.languages - {"zh"})


def state_of(folder: Path, encoder: BuiltBy) -> State:
    """What this encoder has built for a graph: another state as soon as there is more, or other."""
    found = []
    for about in folder_of(folder, encoder).glob(f"*/{ABOUT}"):
        if about.parent.suffix != BUILDING:
            with suppress(OSError):  # removed just now
                found.append((about.parent.name, about.stat().st_mtime_ns))
    return tuple(sorted(found))


def built_by(folder: Path) -> tuple[BuiltBy, ...]:
    """The encoders that have built vectors of the names that a graph holds now, by name."""
    used = {name_of(source) for source in list_sources(folder)}
    found: set[BuiltBy] = set()
    for path in (folder / "vectors").glob(f"*/*/{ABOUT}"):
        if path.parent.name in used:
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                about = json.loads(path.read_text(encoding="utf-8"))
                languages = frozenset(map(str, about.get("languages", ())))
                found.add(BuiltBy(str(about["encoder"]), languages))
    return tuple(sorted(found, key=lambda one: (one.encoder, sorted(one.languages))))


def opened(folder: Path, encoder: BuiltBy, source: SourceRecord) -> VectorFile | None:
    """The vectors of a source; None where they were not built, or cannot be read."""
    path = folder_of(folder, encoder) / name_of(source)
    try:
        about = json.loads((path / ABOUT).read_text(encoding="utf-8"))
        count, dimensions = int(about["texts"]), int(about["dimensions"])
        file = VectorFile(
            path / "vectors.f16",
            count,
            dimensions,
            open_array(path / "places.npy"),
            open_array(path / "starts.npy"),
        )
        whole = file.path.stat().st_size == count * dimensions * 2
        fits = about["encoder"] == encoder.encoder and about["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return file if whole and fits and len(file.starts) == count + 1 else None


def folder_of(folder: Path, encoder: BuiltBy) -> Path:
    """The folder with what one encoder built for a graph."""
    name = encoder.encoder
    readable = re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[-40:]
    digest = hashlib.blake2b(name.encode(), digest_size=4).hexdigest()
    languages = "-".join(sorted(encoder.languages))
    return folder / "vectors" / f"{readable}-{languages}-{digest}"


def name_of(source: SourceRecord) -> str:
    """The name of the folder with the vectors of a source, in the form that it has now."""
    return f"{source.name}-{source.digest[:16]}"

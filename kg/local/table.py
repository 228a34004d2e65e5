"""A memory-mapped table from 64-bit keys to short byte strings, several per key allowed.

Written once, then only read. Opening maps four files and reads nothing else, whatever the size.
Keys are digests: two texts may share one, so payloads hold what is needed to tell them apart.
"""

from __future__ import annotations

import hashlib
import mmap
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "Table", "TableWriter", "text_key", "text_keys", "write_counts"]

Keys = NDArray[np.uint64]


def text_key(text: str) -> int:
    """The key of a text: 64 bits of its digest."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def text_keys(texts: Iterable[str]) -> Keys:
    """The keys of several texts, in order."""
    return np.fromiter((text_key(text) for text in texts), dtype=np.uint64)


def _save(path: Path, values: NDArray[np.generic]) -> None:
    np.save(path, values, allow_pickle=False)


def _open(path: Path) -> NDArray[np.uint64]:
    # An empty array cannot be mapped.
    mapped: NDArray[np.uint64] = np.load(path, mmap_mode="r" if path.stat().st_size > 128 else None)
    return mapped


class TableWriter:
    """Collects entries on disk; the keys stay in memory until `finish` sorts them."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._file: IO[bytes] = (folder / f"{name}.data").open("wb")
        self._keys, self._starts = array("Q"), array("Q")
        self._position = 0

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, key: int, payload: bytes) -> None:
        """Append one entry."""
        self._keys.append(key)
        self._starts.append(self._position)
        self._position += self._file.write(payload)

    def close(self) -> None:
        """Give the file back; without `finish` the table is of no use."""
        self._file.close()

    def finish(self) -> None:
        """Write the sorted keys; entries of one key keep their order."""
        self._file.close()
        keys = np.frombuffer(self._keys, dtype=np.uint64)
        starts = np.frombuffer(self._starts, dtype=np.uint64)
        ends = np.append(starts[1:], np.uint64(self._position))[: len(starts)]
        order = np.argsort(keys, kind="stable")
        _save(self._folder / f"{self._name}.keys.npy", keys[order])
        _save(self._folder / f"{self._name}.starts.npy", starts[order])
        _save(self._folder / f"{self._name}.ends.npy", ends[order].astype(np.uint64))


class Table:
    """A finished table."""

    def __init__(self, folder: Path, name: str) -> None:
        self._keys = _open(folder / f"{name}.keys.npy")
        self._starts = _open(folder / f"{name}.starts.npy")
        self._ends = _open(folder / f"{name}.ends.npy")
        data = folder / f"{name}.data"
        self._data: mmap.mmap | bytes = b""
        if data.stat().st_size:
            with data.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def find(self, key: int) -> list[bytes]:
        """The entries of one key, in the order in which they were added."""
        for _, entries in self.find_many(np.array([key], dtype=np.uint64)):
            return entries
        return []

    def find_many(self, keys: Keys) -> Iterator[tuple[int, list[bytes]]]:
        """For each key that has entries: its position among `keys`, and the entries."""
        first = np.searchsorted(self._keys, keys, side="left")
        last = np.searchsorted(self._keys, keys, side="right")
        for position in np.flatnonzero(last > first).tolist():
            low, high = int(first[position]), int(last[position])
            starts, ends = self._starts[low:high].tolist(), self._ends[low:high].tolist()
            yield position, [self._data[a:b] for a, b in zip(starts, ends, strict=True)]


def write_counts(folder: Path, name: str, keys: array[int]) -> None:
    """How often each key occurs, as a sorted table of counts."""
    unique, counts = np.unique(np.frombuffer(keys, dtype=np.uint64), return_counts=True)
    _save(folder / f"{name}.keys.npy", unique)
    _save(folder / f"{name}.counts.npy", counts.astype(np.uint64))


class Counts:
    """Key → how often it occurred."""

    def __init__(self, folder: Path, name: str) -> None:
        self._keys = _open(folder / f"{name}.keys.npy")
        self._counts = _open(folder / f"{name}.counts.npy")

    def of(self, keys: Keys) -> NDArray[np.uint64]:
        """The count of each key, 0 for an unknown one."""
        if not len(self._keys):
            return np.zeros(len(keys), dtype=np.uint64)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = self._keys[place] == keys
        return np.where(found, self._counts[place], np.uint64(0)).astype(np.uint64)

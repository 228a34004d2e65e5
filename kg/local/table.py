"""A memory-mapped table from 64-bit keys to short byte strings, several per key allowed.

Written once, then only read. Opening maps four files and reads nothing else, whatever the size.
Keys are digests: two texts may share one, so payloads hold what is needed to tell them apart.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

__all__ = [
    "Keys",
    "Table",
    "TableWriter",
    "open_array",
    "open_bytes",
    "save_array",
    "text_key",
    "text_keys",
]

Keys = NDArray[np.uint64]


def text_key(text: str) -> int:
    """The key of a text: its 64-bit XXH3 digest."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def text_keys(texts: Iterable[str]) -> Keys:
    """The keys of several texts, in order."""
    return np.fromiter((text_key(text) for text in texts), dtype=np.uint64)


def save_array(path: Path, values: NDArray[np.generic]) -> None:
    """Write an array in numpy's own format."""
    np.save(path, values, allow_pickle=False)


def open_array(path: Path) -> NDArray[np.uint64]:
    """A memory-mapped array; an empty one cannot be mapped and is read."""
    mapped = np.load(path, mmap_mode="r" if path.stat().st_size > 128 else None)
    # As a plain array: slices of numpy's own memmap class cost ten times as much.
    plain: NDArray[np.uint64] = np.asarray(mapped)
    return plain


def open_bytes(path: Path) -> mmap.mmap | bytes:
    """A memory-mapped file; an empty one cannot be mapped."""
    if not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class TableWriter:
    """Collects entries on disk; the keys stay in memory until `finish` sorts them.

    The same entry added twice is kept once.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._file: IO[bytes] = (folder / f"{name}.data").open("wb")
        self._keys, self._starts, self._digests = array("Q"), array("Q"), array("Q")
        self._position = 0

    def add(self, key: int, payload: bytes) -> None:
        """Append one entry."""
        self._keys.append(key)
        self._starts.append(self._position)
        self._digests.append(xxh3_64_intdigest(payload))
        self._position += self._file.write(payload)

    def close(self) -> None:
        """Give the file back; without `finish` the table is of no use."""
        self._file.close()

    def finish(self, keep: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Write the sorted keys; which of the added entries the table now holds, in its order.

        `keep`, as long as what was added, leaves entries out.
        """
        self._file.close()
        keys, digests = (np.frombuffer(a, dtype=np.uint64) for a in (self._keys, self._digests))
        starts = np.frombuffer(self._starts, dtype=np.uint64)
        ends = np.append(starts[1:], np.uint64(self._position))[: len(starts)].astype(np.uint64)
        order = np.lexsort((digests, keys))
        if keep is not None:
            order = order[keep[order]]
        twice = (np.diff(keys[order]) == 0) & (np.diff(digests[order]) == 0)
        order = order[np.concatenate((np.ones(min(1, len(order)), bool), ~twice))]
        save_array(self._folder / f"{self._name}.keys.npy", keys[order])
        save_array(self._folder / f"{self._name}.starts.npy", starts[order])
        save_array(self._folder / f"{self._name}.ends.npy", ends[order])
        kept: NDArray[np.int64] = order
        return kept


class Table:
    """A finished table."""

    def __init__(self, folder: Path, name: str) -> None:
        self.keys = open_array(folder / f"{name}.keys.npy")
        self._starts = open_array(folder / f"{name}.starts.npy")
        self._ends = open_array(folder / f"{name}.ends.npy")
        self._data = open_bytes(folder / f"{name}.data")

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, key: int) -> list[bytes]:
        """The entries of one key, in a fixed order."""
        for _, entries in self.find_many(np.array([key], dtype=np.uint64)):
            return entries
        return []

    def find_many(self, keys: Keys) -> Iterator[tuple[int, list[bytes]]]:
        """For each key that has entries: its position among `keys`, and the entries."""
        first = np.searchsorted(self.keys, keys, side="left")
        counts = np.searchsorted(self.keys, keys, side="right") - first
        positions = np.flatnonzero(counts)
        first, counts = first[positions], counts[positions]
        # The places of all entries, one key's after the other's.
        before = np.cumsum(counts) - counts
        places = np.repeat(first - before, counts) + np.arange(int(counts.sum()))
        entries = iter(self.rows(places))
        for position, count in zip(positions.tolist(), counts.tolist(), strict=True):
            yield position, list(islice(entries, count))

    def count_many(self, keys: Keys) -> NDArray[np.int64]:
        """How many entries each key has."""
        first = np.searchsorted(self.keys, keys, side="left")
        return np.searchsorted(self.keys, keys, side="right") - first

    def slice(self, low: int, high: int) -> list[bytes]:
        """The entries from one place in the table's order up to another."""
        return self.rows(np.arange(low, high))

    def rows(self, places: NDArray[np.int64]) -> list[bytes]:
        """The entries at these places of the table's order."""
        starts, ends = self._starts[places].tolist(), self._ends[places].tolist()
        return [self._data[a:b] for a, b in zip(starts, ends, strict=True)]

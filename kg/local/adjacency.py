"""The facts between nodes as memory-mapped integer arrays, walked in both directions.

Nodes are numbered by their keys' order. Each direction is a compressed sparse row matrix: the
edges of node n lie at starts[n]:starts[n + 1], sorted by relation and then by neighbour. All edges
of one source; what joins sources is their nodes' keys.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from kg.errors import KgError
from kg.local.table import open_array, open_bytes, save_array, text_key, text_keys

__all__ = ["Adjacency", "AdjacencyWriter", "Direction", "Edges"]

Numbers = NDArray[np.uint32]
Direction = Literal["out", "in"]
_BITS = 64
# (file name, which end the rows belong to)
_DIRECTIONS: tuple[Direction, ...] = ("out", "in")
_PARTS = ("starts", "relations", "nodes")


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges of one node in one direction: relation numbers and the nodes at the other end."""

    relations: Numbers
    nodes: Numbers


class AdjacencyWriter:
    """Numbers nodes and collects edges while statements stream by; `finish` sorts them.

    Per edge it holds ten bytes in memory, per node some hundred. `on_new` is told of every name
    that is met for the first time.
    """

    def __init__(self, folder: Path, on_new: Callable[[str], None] | None = None) -> None:
        self._folder, self._on_new = folder, on_new
        self._numbers: dict[int, int] = {}
        self._file: IO[bytes] = (folder / "nodes.data").open("wb")
        self._starts, self._position = array("Q"), 0
        self._subjects, self._relations, self._objects = array("I"), array("H"), array("I")
        self.unnamed: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def node(self, name: str) -> int:
        """The provisional number of a node, a new one for a new name."""
        # Called twice per fact: text_key is written out here.
        encoded = name.encode("utf-8", "surrogatepass")
        key = xxh3_64_intdigest(encoded)
        number = self._numbers.get(key)
        return self._add(key, name, encoded) if number is None else number

    def _add(self, key: int, name: str, encoded: bytes) -> int:
        number = self._numbers[key] = len(self._numbers)
        if name.startswith("_:"):
            self.unnamed.append(number)
        self._starts.append(self._position)
        self._position += self._file.write(encoded)
        if self._on_new is not None:
            self._on_new(name)
        return number

    def known(self, name: str) -> int | None:
        """The provisional number of a node, None for one that was not met."""
        return self._numbers.get(text_key(name))

    def edge(self, subject: int, relation: int, value: int) -> None:
        """One fact between two nodes by their provisional numbers."""
        self._subjects.append(subject)
        self._relations.append(relation)
        self._objects.append(value)

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def edges(self) -> tuple[Numbers, NDArray[np.uint16], Numbers]:
        """Subjects, relations and objects so far, in provisional numbers."""
        return (
            np.frombuffer(self._subjects, dtype=np.uint32),
            np.frombuffer(self._relations, dtype=np.uint16),
            np.frombuffer(self._objects, dtype=np.uint32),
        )

    def finish(
        self, subjects: Numbers, relations: NDArray[np.uint16], objects: Numbers
    ) -> NDArray[np.int64]:
        """Write nodes and these edges, each once; the provisional numbers in the nodes' order."""
        self._file.close()
        keys = np.fromiter(self._numbers, dtype=np.uint64, count=len(self._numbers))
        order = np.argsort(keys)
        starts = np.frombuffer(self._starts, dtype=np.uint64)
        ends = np.append(starts[1:], np.uint64(self._position))[: len(starts)].astype(np.uint64)
        save_array(self._folder / "nodes.keys.npy", keys[order])
        save_array(self._folder / "nodes.starts.npy", starts[order])
        save_array(self._folder / "nodes.ends.npy", ends[order])
        final = np.empty(len(order), dtype=np.uint32)
        final[order] = np.arange(len(order), dtype=np.uint32)
        self._numbers.clear()
        ends_of = {"out": (final[subjects], final[objects])}
        ends_of["in"] = ends_of["out"][::-1]
        for name in _DIRECTIONS:
            _write_rows(self._folder, name, len(order), ends_of[name], relations)
        return order


def _write_rows(
    folder: Path,
    name: str,
    nodes: int,
    ends: tuple[Numbers, Numbers],
    relations: NDArray[np.uint16],
) -> None:
    """One direction: edges packed into one integer each, sorted, doubles dropped, unpacked."""
    near, far = ends
    node_bits = max(1, int(nodes).bit_length())
    relation_bits = int(relations.max(initial=0)).bit_length() or 1
    if 2 * node_bits + relation_bits > _BITS:
        raise KgError(f"{nodes:,} nodes are too many for one source: import it in parts.")
    packed = near.astype(np.uint64)
    packed <<= np.uint64(relation_bits)
    packed |= relations.astype(np.uint64)
    packed <<= np.uint64(node_bits)
    packed |= far.astype(np.uint64)
    packed.sort()
    if len(packed):
        packed = packed[np.concatenate(([True], np.diff(packed) != 0))]
    mask = np.uint64((1 << node_bits) - 1)
    save_array(folder / f"{name}.nodes.npy", (packed & mask).astype(np.uint32))
    packed >>= np.uint64(node_bits)
    mask = np.uint64((1 << relation_bits) - 1)
    save_array(folder / f"{name}.relations.npy", (packed & mask).astype(np.uint16))
    packed >>= np.uint64(relation_bits)
    counts = np.bincount(packed.astype(np.int64), minlength=nodes)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.uint64)
    save_array(folder / f"{name}.starts.npy", starts)


class Adjacency:
    """A finished adjacency, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        self.keys = open_array(folder / "nodes.keys.npy")
        self._starts = open_array(folder / "nodes.starts.npy")
        self._ends = open_array(folder / "nodes.ends.npy")
        self._data = open_bytes(folder / "nodes.data")
        self._rows: dict[Direction, tuple[NDArray[np.uint64], ...]] = {
            name: tuple(open_array(folder / f"{name}.{part}.npy") for part in _PARTS)
            for name in _DIRECTIONS
        }

    def number(self, name: str) -> int | None:
        """The number of a node, or None when this source does not speak of it."""
        key = np.uint64(text_key(name))
        place = int(np.searchsorted(self.keys, key))
        if place < len(self.keys) and self.keys[place] == key and self.name(place) == name:
            return place
        return None

    def holds(self, names: Sequence[str]) -> list[bool]:
        """Which of these nodes this source speaks of."""
        if not len(self.keys):
            return [False] * len(names)
        keys = text_keys(names)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        stored = self.names(place)
        found = self.keys[place] == keys
        return [
            bool(same) and one == own for same, one, own in zip(found, stored, names, strict=True)
        ]

    def name(self, number: int) -> str:
        """The IRI of a node, or an unnamed one's label with its mark."""
        start, end = int(self._starts[number]), int(self._ends[number])
        return self._data[start:end].decode("utf-8", "surrogatepass")

    def names(self, numbers: NDArray[np.integer]) -> list[str]:
        """The IRIs of several nodes."""
        starts, ends = self._starts[numbers].tolist(), self._ends[numbers].tolist()
        return [
            self._data[start:end].decode("utf-8", "surrogatepass")
            for start, end in zip(starts, ends, strict=True)
        ]

    def out(self, number: int, most: int | None = None) -> Edges:
        """The edges that leave a node, the first `most` of them."""
        return self._edges("out", number, most)

    def into(self, number: int, most: int | None = None) -> Edges:
        """The edges that reach a node, the first `most` of them."""
        return self._edges("in", number, most)

    def _edges(self, direction: Direction, number: int, most: int | None) -> Edges:
        starts, relations, nodes = self._rows[direction]
        low, high = int(starts[number]), int(starts[number + 1])
        if most is not None:
            high = min(high, low + most)
        return Edges(
            np.asarray(relations[low:high]).astype(np.uint32),
            np.asarray(nodes[low:high]).astype(np.uint32),
        )

    def gather(
        self, direction: Direction, numbers: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], Edges]:
        """All edges of several nodes: for each the place of its node among `numbers`, and they."""
        starts, relations, nodes = self._rows[direction]
        low = starts[numbers].astype(np.int64)
        counts = starts[numbers + 1].astype(np.int64) - low
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        places = np.repeat(low - ends + counts, counts) + np.arange(total)
        rows = np.repeat(np.arange(len(counts)), counts)
        relation_of, node_of = (
            row.astype(np.uint32, copy=False) for row in (relations[places], nodes[places])
        )
        return rows, Edges(relation_of, node_of)

    def counts(self, direction: Direction) -> NDArray[np.int64]:
        """How many edges each node has in one direction."""
        starts = self._rows[direction][0].astype(np.int64)
        return starts[1:] - starts[:-1]

    def counts_of(self, direction: Direction, numbers: NDArray[np.integer]) -> NDArray[np.int64]:
        """How many edges these nodes have in one direction."""
        starts = self._rows[direction][0]
        counts: NDArray[np.int64] = (starts[numbers + 1] - starts[numbers]).astype(np.int64)
        return counts

    def unnamed(self, numbers: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Which of these nodes are unnamed ones: their names begin with "_:"."""
        if not len(numbers):
            return np.zeros(0, dtype=bool)
        text = np.frombuffer(self._data, dtype=np.uint8)
        first = self._starts[numbers]
        second = np.minimum(first + np.uint64(1), np.uint64(len(text) - 1))
        unnamed: NDArray[np.bool_] = (text[first] == ord("_")) & (text[second] == ord(":"))
        return unnamed

    def subjects_of(self, relations: Collection[int]) -> NDArray[np.int64]:
        """The nodes that have a fact of one of these relations, each once."""
        starts, of_edges, _ = self._rows["out"]
        places = np.flatnonzero(np.isin(of_edges, np.fromiter(relations, dtype=np.uint16)))
        rows = np.searchsorted(starts, places.astype(np.uint64), side="right") - 1
        return np.unique(rows)

    def degrees(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """How many edges touch the nodes of these keys, 0 for an unknown one."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        total = np.zeros(len(keys), dtype=np.int64)
        for name in _DIRECTIONS:
            starts = self._rows[name][0]
            total += (starts[place + 1] - starts[place]).astype(np.int64)
        return np.where(self.keys[place] == keys, total, 0)

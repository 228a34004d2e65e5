"""The entities whose names are nearest in meaning (HyKGE, Eq. 1), over vectors built beforehand.

Exact: every stored vector is compared, in chunks that are mapped one after the other, so that a
million names take some fifty megabytes of memory. kg.local.vector_building builds the files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.local.candidates import merged
from kg.local.generations import read_manifest
from kg.local.graph import LocalGraph
from kg.local.integrity import reading
from kg.local.names import Match
from kg.local.rows import name_rows
from kg.local.vector_files import BuiltBy, VectorFile, may_encode, opened, state_of
from kg.model import Candidate
from kg.protocols import Encoder

__all__ = ["StoredVectors", "best_rows", "open_vectors"]

CHUNK = 16_384  # rows that are compared at once
NAMES_PER_ENTITY = 16  # so many more names than entities are kept: one entity has several near

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


def open_vectors(
    folder: Path, encoder: Encoder, delta: float, sources: Collection[str] | None = None
) -> StoredVectors | None:
    """The stored vectors of a graph, or of some of its sources; None where there are none.

    `delta` is the encoder's own threshold (kg.ranking.thresholds). Raises KgError for a graph
    that cannot be read.
    """
    vectors = StoredVectors(LocalGraph(folder, sources=sources), encoder, delta)
    return vectors if vectors.count else None


class StoredVectors:
    """The names of a graph as it is now with their vectors (kg.protocols.NameVectors).

    `missing` names the sources without vectors: imported since they were built. `built_by` is the
    encoder that built those that there are.
    """

    def __init__(self, graph: LocalGraph, encoder: Encoder, delta: float) -> None:
        self._snapshot, folder = graph.snapshot, graph.folder
        self.built_by = BuiltBy(encoder.name, encoder.languages)
        # Before anything is opened: what is built meanwhile is noticed.
        self._state = state_of(folder, self.built_by)
        self._encoder, self._delta = encoder, delta
        self._files: dict[str, VectorFile] = {}
        missing: list[str] = []
        chosen = {source.name for source in self._snapshot.sources.values()}
        for source in read_manifest(self._snapshot.generation).sources:
            file = opened(folder, self.built_by, source) if source.name in chosen else None
            if file is not None:
                self._files[source.name] = file
            elif source.name in chosen:
                missing.append(source.name)
        self.missing = tuple(missing)

    @property
    def count(self) -> int:
        """How many vectors there are."""
        return sum(file.count for file in self._files.values())

    @property
    def delta(self) -> float:
        """The threshold δ that was calibrated for this encoder."""
        return self._delta

    def serves(self, graph: LocalGraph) -> bool:
        """Whether these are the names that a graph has now, and nothing was built since; cheap."""
        return (
            graph.snapshot is self._snapshot
            and state_of(graph.folder, self.built_by) == self._state
        )

    @property
    def generation(self) -> Path:
        """The generation whose names these are; after an import there is a newer one."""
        return self._snapshot.generation

    def nearest(
        self, names: Sequence[str], language: str, most: int, deadline: Deadline
    ) -> list[tuple[Candidate, ...]]:
        """Per name the `most` entities with the nearest names, best first, by inner product.

        None for a name in a script that the encoder does not read, and none at all when the time
        runs out: the best of some names may be wrong. Raises ModelError when the encoder fails.
        """
        nearest: list[tuple[Candidate, ...]] = [() for _ in names]
        usable = [place for place, name in enumerate(names) if may_encode(self._encoder, name)]
        if not usable or deadline.expired:
            return nearest
        queries = self._encoder.encode([names[place] for place in usable])
        self._refuse_other_dimensions(queries.shape[1])
        with reading(self._snapshot.generation):
            files = list(self._files.values())
            scores, rows = best_rows(files, queries, most * NAMES_PER_ENTITY, deadline)
            for query, place in enumerate(usable if len(scores) else ()):
                matches = self._matches(scores[:, query], rows[:, query])
                nearest[place] = merged(self._snapshot, matches, language)[:most]
        return nearest

    def _refuse_other_dimensions(self, dimensions: int) -> None:
        """Raise ModelError where the encoder is not the one any more that it is called."""
        for file in self._files.values():
            if file.count and file.dimensions != dimensions:
                folder = file.path.parent.parent
                raise ModelError(
                    f"The stored vectors have {file.dimensions} dimensions and the encoder gives "
                    f"{dimensions}: delete {folder} and run 'graphcite kg vectors'; until then "
                    "shared words rank, and names are linked without vectors.",
                    chinese=f"存储的向量为 {file.dimensions} 维，而编码器给出 {dimensions} 维："
                    f"请删除 {folder} 并运行 graphcite kg vectors；在此之前按共有词语排序，"
                    "名称链接不使用向量。",
                )

    def _matches(self, scores: Floats, rows: Numbers) -> Iterator[Match]:
        """The entities that carry the names of these rows."""
        for score, row in zip(scores.tolist(), rows.tolist(), strict=True):
            source, number = self._located(row)
            segment = next(
                segment
                for graph, segment in self._snapshot.segments.items()
                if self._snapshot.sources[graph].name == source
            )
            places = self._files[source].places_of(number)
            for one in name_rows(segment.names.rows(places)):
                yield one.iri, round(min(score, 1.0), 4), "embedding"

    def _located(self, row: int) -> tuple[str, int]:
        for source, file in self._files.items():
            if row < file.count:
                return source, row
            row -= file.count
        raise IndexError(row)


def best_rows(
    files: Sequence[VectorFile], queries: Floats, most: int, deadline: Deadline
) -> tuple[Floats, Numbers]:
    """The greatest inner products per query and their rows, counted over all files.

    `queries` has the shape (queries, dimensions), the results (most, queries) in no order;
    (0, queries) when the time ran out.
    """
    nothing = np.empty((0, len(queries)), dtype=np.float32), np.empty((0, len(queries)), np.int64)
    scores, rows = nothing
    first = 0
    for file in files:
        for start, products in _products(file, queries):
            if deadline.expired:
                return nothing
            # Most chunks hold few rows that beat what is kept: the others need no sorting.
            least = scores.min(axis=0) if len(scores) == most else -np.inf
            better = np.flatnonzero((products > least).any(axis=1))
            numbers = np.broadcast_to(
                (better + first + start)[:, None], (len(better), len(queries))
            )
            scores, rows = _greatest(
                np.concatenate((scores, products[better])), np.concatenate((rows, numbers)), most
            )
        first += file.count
    return scores, rows


def _products(file: VectorFile, queries: Floats) -> Iterator[tuple[int, Floats]]:
    """Chunk by chunk: its first row, and the inner products, shape (rows, queries)."""
    for start in range(0, file.count, CHUNK):
        chunk = file.chunk(start, min(start + CHUNK, file.count))
        yield start, chunk.astype(np.float32) @ queries.T


def _greatest(scores: Floats, rows: Numbers, most: int) -> tuple[Floats, Numbers]:
    """The `most` greatest of each column, with their rows, in no order."""
    if len(scores) <= most:
        return scores, rows
    best = np.argpartition(-scores, most - 1, axis=0)[:most]
    return np.take_along_axis(scores, best, axis=0), np.take_along_axis(rows, best, axis=0)

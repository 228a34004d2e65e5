"""Vectors of names are built once per source and encoder, beside the generations.

The folder of one source (kg.local.vector_files) is built under another name and renamed when it
is complete; a build that was killed goes on where it stopped. Imports and readers are never in the
way.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from kg.errors import GraphBusy, KgError, ModelError
from kg.local.generations import SourceRecord, current_generation, list_sources, one_line
from kg.local.integrity import reading
from kg.local.rows import NameRow, name_rows
from kg.local.segment import Segment
from kg.local.table import save_array
from kg.local.vector_files import (
    ABOUT,
    BUILDING,
    FORMAT,
    BuiltBy,
    VectorFile,
    folder_of,
    may_encode,
    name_of,
    opened,
)
from kg.protocols import Encoder
from kg.sources.statements import Progress

__all__ = ["VectorsReport", "build_vectors"]

BATCH = 2_048  # texts between two writes


@dataclass(frozen=True, slots=True)
class VectorsReport:
    """What a build did: distinct names with a vector, those embedded now, the sources read."""

    encoder: str
    names: int
    embedded: int
    sources: tuple[str, ...]
    seconds: float


def build_vectors(folder: Path, encoder: Encoder, progress: Progress) -> VectorsReport:
    """Embed the names that have no vector yet, source by source; remove what nothing uses.

    `progress` is told source, texts done and texts in all. Raises KgError; what is finished by
    then stays.
    """
    began = time.monotonic()
    names, embedded = 0, 0
    builder = BuiltBy(encoder.name, encoder.languages)
    with _exclusive(folder):
        sources = list_sources(folder)
        for source in sources:
            file = opened(folder, builder, source)
            if file is None:
                file, fresh = _build(folder, encoder, source, progress)
                embedded += fresh
            names += file.count
        _remove_unused(folder)
    return VectorsReport(
        encoder.name,
        names,
        embedded,
        tuple(source.name for source in sources),
        round(time.monotonic() - began, 2),
    )


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """One build at a time; what the disk refuses, in one line."""
    current_generation(folder)  # says so where there is no graph
    try:
        (folder / "vectors").mkdir(exist_ok=True)
        with FileLock(folder / "vectors" / "build.lock", timeout=0):
            yield
    except Timeout:  # an OSError too
        raise GraphBusy(
            f"The vectors of {folder} are being built already: wait until that ends.",
            chinese=f"正在为 {folder} 生成向量：请等其结束。",
        ) from None
    except OSError as error:
        raise KgError(
            f"The vectors in {folder / 'vectors'} cannot be written: {one_line(error)} "
            "Run 'graphcite kg vectors' again when that is mended; it goes on where it stopped.",
            repr(error),
            chinese=f"无法写入 {folder / 'vectors'} 中的向量：{one_line(error)} "
            "解决后请再次运行 graphcite kg vectors，将从中断处继续。",
        ) from error


def _build(
    folder: Path, encoder: Encoder, source: SourceRecord, progress: Progress
) -> tuple[VectorFile, int]:
    """Build one source's vectors; the file, and how many texts were embedded now."""
    generation = current_generation(folder)
    builder = BuiltBy(encoder.name, encoder.languages)
    final = folder_of(folder, builder) / name_of(source)
    building = final.with_name(final.name + BUILDING)
    building.mkdir(parents=True, exist_ok=True)
    with reading(generation):
        texts, places, starts = _texts(generation / "sources" / source.name, encoder)
    dimensions, fresh = _embed(building / "vectors.f16", texts, encoder, progress, source.name)
    save_array(building / "places.npy", places)
    save_array(building / "starts.npy", starts)
    about: dict[str, object] = {"format": FORMAT, "encoder": encoder.name, "source": source.name}
    about |= {"languages": sorted(encoder.languages)}
    about |= {"texts": len(texts), "dimensions": dimensions}
    (building / ABOUT).write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")
    if final.exists():  # unreadable, else it had been taken
        shutil.rmtree(final)
    building.rename(final)
    file = opened(folder, builder, source)
    assert file is not None
    return file, fresh


def _texts(
    segment: Path, encoder: Encoder
) -> tuple[list[str], NDArray[np.uint32], NDArray[np.uint64]]:
    """Distinct names in the encoder's languages, in the table's order, and where each stands."""
    table = Segment(segment).names
    rows: dict[str, int] = {}
    of_place, kept = array("I"), array("I")
    for first in range(0, len(table), BATCH):
        entries = table.slice(first, min(first + BATCH, len(table)))
        for place, one in enumerate(name_rows(entries), first):
            if _is_read_by(encoder, one):
                of_place.append(rows.setdefault(one.name, len(rows)))
                kept.append(place)
    numbers = np.frombuffer(of_place, dtype=np.uint32)
    order = np.argsort(numbers, kind="stable")
    counts = np.bincount(numbers, minlength=len(rows))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.uint64)
    return list(rows), np.frombuffer(kept, dtype=np.uint32)[order], starts


def _is_read_by(encoder: Encoder, name: NameRow) -> bool:
    primary = name.language.lower().partition("-")[0]
    if primary in ("", "mul"):
        return may_encode(encoder, name.name)
    return primary in encoder.languages


def _embed(
    path: Path, texts: list[str], encoder: Encoder, progress: Progress, source: str
) -> tuple[int, int]:
    """Append the vectors of the texts that the file does not hold yet; dimensions, and how many."""
    dimensions = len(encoder.encode(texts[:1])[0]) if texts else 0
    width = dimensions * 2
    with path.open("ab") as file:
        done = file.tell() // width if width else 0
        done = done if done <= len(texts) else 0
        file.truncate(done * width)
        fresh = len(texts) - done
        progress(source, done, len(texts))
        for first in range(done, len(texts), BATCH):
            batch = encoder.encode(texts[first : first + BATCH])
            if batch.shape[1] != dimensions:
                raise ModelError(
                    f"The encoder gave vectors of {dimensions} and of {batch.shape[1]} "
                    "dimensions: see that its server answers with one model, and run this again.",
                    chinese=f"编码器先后给出 {dimensions} 维和 {batch.shape[1]} 维的向量："
                    "请确认其服务器只用一个模型，然后再次运行。",
                )
            file.write(np.ascontiguousarray(batch, dtype=np.float16).tobytes())
            file.flush()
            os.fsync(file.fileno())  # what is counted as done after a crash has to be there
            progress(source, min(first + BATCH, len(texts)), len(texts))
    return dimensions, fresh


def _remove_unused(folder: Path) -> None:
    """Remove the vectors of sources that the graph does not hold in this form any more."""
    used = {name_of(source) for source in list_sources(folder)}
    for encoder in sorted((folder / "vectors").iterdir()):
        for path in sorted(encoder.iterdir()) if encoder.is_dir() else ():
            if path.name.removesuffix(BUILDING) not in used:
                shutil.rmtree(path, ignore_errors=True)
        if encoder.is_dir() and not any(encoder.iterdir()):
            encoder.rmdir()

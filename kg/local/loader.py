"""Statements into a new generation: load, index, publish. Old generations are never touched.

All or nothing: whatever happens before `publish`, the graph in use stays as it was.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
import time
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, QuerySolutions, Store

from kg.errors import BadInput, GraphTooOld, KgError, NotFound
from kg.local.generations import (
    IDENTITY,
    Manifest,
    SourceRecord,
    build_folder,
    current_generation,
    damaged,
    exclusive,
    graph_name,
    one_line,
    publish,
    read_manifest,
    write_manifest,
)
from kg.local.identity import write_clusters
from kg.local.indexing import SegmentCounts, SegmentWriter
from kg.local.integrity import altered, write_notes
from kg.local.segment import Annotation, Segment
from kg.sources.files import readable
from kg.sources.statements import Importer, ImportReport, Progress, SourceDetails

__all__ = ["drop_source", "load_source"]

# Removing more than this from a store in place is slower than copying the rest.
LARGE = 100_000

_log = logging.getLogger(__name__)


def load_source(
    folder: Path,
    name: str,
    importer: Importer,
    progress: Progress,
    given: SourceDetails | None = None,
) -> ImportReport:
    """Import one source, replacing the one of that name; the same input changes nothing.

    `given` goes before what the source says about itself. A damaged source is made anew from its
    statements; one beside a damaged one is refused.
    """
    started = time.monotonic()
    with exclusive(folder), _building(folder) as building:
        manifest = _current_manifest(folder)
        broken = _broken(folder, manifest, name)
        for owner, file in broken.items():
            if owner != name:
                raise damaged(folder, file)
        digest = input_digest(importer, given)
        old = {source.name: source for source in manifest.sources}
        if name in old and old[name].digest == digest and not broken:
            return _report(old[name], importer, True, started)
        load = _Load(building, name, importer, progress)
        counts = _loaded(folder, building, manifest, load)
        if not counts[1].entities and not counts[1].notes:
            raise BadInput(
                f"Nothing in {_files_of(importer)} can be asked about: no statement is about "
                "anything that has an IRI. The graph stays as it was."
            )
        record = _record(name, _details(importer, given), counts, digest)
        progress("joining", 0, None)
        _finish(folder, building, manifest.without(name), record)
    return _report(record, importer, False, started)


def _files_of(importer: Importer) -> str:
    names = [path.name for path in importer.inputs]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more files" if len(names) > 3 else "")


def _broken(folder: Path, manifest: Manifest, name: str) -> dict[str | None, str]:
    """The damaged sources, and None for a store that is damaged and not made anew anyway."""
    if not manifest.sources:
        return {}
    found = altered(current_generation(folder), manifest)
    if None in found and not manifest.without(name):
        found[name] = found.pop(None)
    return found


def _loaded(
    folder: Path, building: Path, manifest: Manifest, load: _Load
) -> tuple[int, SegmentCounts]:
    """Fill the new store and the segment; triples, and what the segment counts.

    The store is closed on return: it may not be open while its folder is moved or removed.
    """
    store = _store_without(folder, building, manifest, load.name)
    counts = load.read_into(store)
    triples = _count(store, load.graph)
    store.flush()
    return triples, counts


def _count(store: Store, graph: NamedNode) -> int:
    """How many triples a graph has, each once."""
    rows = store.query(f"SELECT (COUNT(*) AS ?n) {{ GRAPH {graph} {{ ?s ?p ?o }} }}")
    assert isinstance(rows, QuerySolutions)
    value = next(rows)["n"]
    assert isinstance(value, Literal)
    return int(value.value)


def drop_source(folder: Path, name: str) -> None:
    """Take one source out; the last one leaves an empty graph. Damaged ones can be dropped."""
    with exclusive(folder), _building(folder) as building:
        manifest = read_manifest(current_generation(folder))
        known = [source.name for source in manifest.sources]
        if name not in known:
            available = ", ".join(known) or "none"
            raise NotFound(f"The graph has no source {name!r}. It has: {available}.")
        broken = _broken(folder, manifest, name)
        if None in broken:
            raise damaged(folder, broken[None])
        _store_without(folder, building, manifest, name).flush()
        _finish(folder, building, manifest.without(name), unreadable=set(broken))


def _finish(
    folder: Path,
    building: Path,
    rest: tuple[SourceRecord, ...],
    *added: SourceRecord,
    unreadable: Collection[str | None] = (),
) -> None:
    """Complete the generation with the other sources' segments and make it the one in use."""
    _link_segments(folder, building, rest)
    names = sorted(source.name for source in (*rest, *added) if source.name not in unreadable)
    write_clusters(building / IDENTITY, [Segment(building / "sources" / name) for name in names])
    old = current_generation(folder) if (folder / "CURRENT").exists() else None
    if old is not None and not rest:
        old = None  # nothing is carried over
    files = write_notes(building, old, [source.name for source in rest])
    write_manifest(building, replace(Manifest.of((*rest, *added)), files=files))
    publish(folder, building)


@contextmanager
def _building(folder: Path) -> Iterator[Path]:
    """A folder for the next generation, gone unless it was published; errors in one line."""
    building = None
    try:
        building = build_folder(folder)
        yield building
    except BaseException as error:
        # The frames below hold the store open, which would write into the folder again.
        traceback.clear_frames(error.__traceback__)
        if isinstance(error, OSError | MemoryError | RuntimeError):
            raise _failed(folder, error) from error
        raise
    finally:
        if building is not None:
            shutil.rmtree(building, ignore_errors=True)


def _failed(folder: Path, error: Exception) -> KgError:
    reason = one_line(error)
    if os.strerror(errno.ENOSPC) in str(error):  # Oxigraph gives no number
        return KgError(
            f"The disk that holds {folder} is full, and the graph stays as it was: "
            "make room there, then try again.",
            repr(error),
            chinese=f"{folder} 所在的磁盘已满，图谱保持原样：请腾出空间后重试。",
        )
    return KgError(
        f"The import into {folder} failed and the graph stays as it was: {reason}",
        repr(error),
        chinese=f"导入 {folder} 失败，图谱保持原样：{reason}",
    )


def _current_manifest(folder: Path) -> Manifest:
    if not (folder / "CURRENT").exists():
        return Manifest.of(())
    try:
        return read_manifest(current_generation(folder))
    except GraphTooOld as error:  # it said which sources have to be imported again
        _log.warning("%s", error)
        return Manifest.of(())


def _store_without(folder: Path, building: Path, manifest: Manifest, name: str) -> Store:
    """A writable copy of the current store without the source `name`."""
    target = str(building / "store")
    if not manifest.without(name):
        return Store(target)
    old = Store.read_only(str(current_generation(folder) / "store"))
    replaced = [source for source in manifest.sources if source.name == name]
    if replaced and replaced[0].triples > LARGE:
        store = Store(target)
        for source in manifest.without(name):
            store.bulk_extend(old.quads_for_pattern(None, None, None, graph_name(source.name)))
        return store
    old.backup(target)
    store = Store(target)
    if replaced:
        store.remove_graph(graph_name(name))
    return store


def _link_segments(folder: Path, building: Path, sources: tuple[SourceRecord, ...]) -> None:
    """Take over the other sources' segments: hard links where the file system has them."""
    for source in sources:
        old = current_generation(folder) / "sources" / source.name
        new = building / "sources" / source.name
        new.mkdir()
        for file in sorted(old.iterdir()) if old.is_dir() else ():
            try:
                os.link(file, new / file.name)
            except OSError:
                shutil.copy2(file, new / file.name)


class _Load:
    """One source's statements on their way into the store and its segment."""

    def __init__(self, building: Path, name: str, importer: Importer, progress: Progress) -> None:
        self.name, self._importer, self._progress = name, importer, progress
        self.graph = graph_name(name)
        self._segment = SegmentWriter(building / "sources" / name)

    def read_into(self, store: Store) -> SegmentCounts:
        """Load and index all statements in one pass."""
        try:
            store.bulk_extend(self._quads())
            self._progress("indexing", 0, None)
            return self._segment.finish()
        finally:
            self._segment.close()

    def _quads(self) -> Iterator[Quad]:
        graph, index, annotate = self.graph, self._segment.add, self._segment.annotate
        for statement in self._importer.statements(self._progress):
            subject, predicate, value, references, qualifiers, asserted = statement
            if references or qualifiers:
                annotate(subject, predicate, value, Annotation(references, qualifiers))
            if asserted:
                index(subject, predicate, value)
                yield Quad(subject, predicate, value, graph)


def input_digest(importer: Importer, given: SourceDetails | None) -> str:
    """A digest of all that decides about the statements: files, settings, and the importers."""
    digest = hashlib.blake2b(_importers_digest(), digest_size=16)
    digest.update(f"{type(importer).__name__}\x1f{importer.settings}\x1f{given}".encode())
    for path in importer.inputs:
        with readable(path.name), path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
        digest.update(b"\x1f")
    return digest.hexdigest()


@cache
def _importers_digest() -> bytes:
    """A digest of the importers' own files: a new version may read the same input otherwise."""
    digest = hashlib.blake2b(digest_size=16)
    folder = Path(str(files("kg.sources")))
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.read_bytes())
    return digest.digest()


def _details(importer: Importer, given: SourceDetails | None) -> SourceDetails:
    """What the source says about itself, with what the user says in its place."""
    details = replace(importer.details)
    for field in fields(SourceDetails) if given else ():
        if getattr(given, field.name):
            setattr(details, field.name, getattr(given, field.name))
    return details


def _record(
    name: str, details: SourceDetails, counts: tuple[int, SegmentCounts], digest: str
) -> SourceRecord:
    triples, counted = counts
    return SourceRecord(
        name=name,
        title=details.title or name,
        titles=details.titles,
        version=details.version,
        licence=details.licence,
        date=details.date,
        homepage=details.homepage,
        triples=triples,
        entities=counted.entities,
        names=counted.names,
        digest=digest,
    )


def _report(
    record: SourceRecord, importer: Importer, unchanged: bool, started: float
) -> ImportReport:
    return ImportReport(
        name=record.name,
        triples=record.triples,
        entities=record.entities,
        names=record.names,
        skipped=importer.skipped.count,
        skipped_samples=tuple(importer.skipped.samples),
        repaired=importer.repaired.count,
        repaired_samples=tuple(importer.repaired.samples),
        unchanged=unchanged,
        seconds=round(time.monotonic() - started, 2),
    )

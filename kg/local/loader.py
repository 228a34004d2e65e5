"""Statements into a new generation: load, index, publish. Old generations are never touched.

All or nothing: whatever happens before `publish`, the graph in use stays as it was.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pyoxigraph import NamedNode, Quad, Store

from kg.errors import KgError, NotFound
from kg.local.generations import (
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
from kg.local.integrity import altered, write_notes
from kg.local.segment import Annotation, SegmentCounts, SegmentWriter
from kg.sources.statements import Importer, ImportReport, Progress, Statement
from kg.sources.vocabulary import RDF_TYPE

__all__ = ["drop_source", "load_source"]

# Removing more than this from a store in place is slower than copying the rest.
LARGE = 100_000
_MASK = (1 << 128) - 1


def load_source(folder: Path, name: str, importer: Importer, progress: Progress) -> ImportReport:
    """Import one source, replacing the one of that name; the same statements change nothing.

    A damaged source is made anew from its statements; one beside a damaged one is refused.
    """
    started = time.monotonic()
    with exclusive(folder), _building(folder) as building:
        manifest = _current_manifest(folder)
        broken = _broken(folder, manifest, name)
        for owner, file in broken.items():
            if owner != name:
                raise damaged(folder, file)
        old = {source.name: source for source in manifest.sources}
        load = _Load(building, name, importer, progress)
        record = _loaded(folder, building, manifest, load, may_stay=not broken)
        if record is None:
            return _report(old[name], importer, True, started)
        _finish(folder, building, manifest.without(name), record)
    return _report(record, importer, False, started)


def _broken(folder: Path, manifest: Manifest, name: str) -> dict[str | None, str]:
    """The damaged sources, and None for a store that is damaged and not made anew anyway."""
    if not manifest.sources:
        return {}
    found = altered(current_generation(folder), manifest)
    if None in found and not manifest.without(name):
        found[name] = found.pop(None)
    return found


def _loaded(
    folder: Path, building: Path, manifest: Manifest, load: _Load, *, may_stay: bool
) -> SourceRecord | None:
    """Fill the new store and the segment; None when the source has not changed and may stay.

    The store is closed on return: it may not be open while its folder is moved or removed.
    """
    store = _store_without(folder, building, manifest, load.name)
    digest = load.read_into(store)
    same = any(one.name == load.name and one.digest == digest for one in manifest.sources)
    if same and may_stay:
        load.segment.close()
        return None
    record = _record(load.name, load.importer, load.index(store), digest)
    store.flush()
    return record


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
        _finish(folder, building, manifest.without(name))


def _finish(
    folder: Path, building: Path, rest: tuple[SourceRecord, ...], *added: SourceRecord
) -> None:
    """Complete the generation with the other sources' segments and make it the one in use."""
    _link_segments(folder, building, rest)
    old = current_generation(folder) if (folder / "CURRENT").exists() else None
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
    return read_manifest(current_generation(folder))


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
        self.name, self.importer, self._progress = name, importer, progress
        self._graph = graph_name(name)
        self.segment = SegmentWriter(building / "sources" / name)
        self._predicates: set[NamedNode] = set()
        self._sum = 0

    def read_into(self, store: Store) -> str:
        """Load all statements; the digest of them and of what the source says about itself."""
        try:
            store.bulk_extend(self._quads())
        except BaseException:
            self.segment.close()
            raise
        details = self.importer.details
        text = "\x1f".join(
            str(part)
            for part in (
                details.title,
                sorted(details.titles.items()),
                details.version,
                details.licence,
                details.date,
                details.homepage,
            )
        )
        whole = self._sum.to_bytes(16, "little") + text.encode()
        return hashlib.blake2b(whole, digest_size=16).hexdigest()

    def _quads(self) -> Iterator[Quad]:
        for statement in self.importer.statements(self._progress):
            self._sum = (self._sum + _statement_digest(statement)) & _MASK
            subject, predicate, value, references, qualifiers, asserted = statement
            if references or qualifiers:
                note = Annotation(references, qualifiers)
                self.segment.annotate(subject, predicate, value, note)
            if asserted:
                self._predicates.add(predicate)
                yield Quad(subject, predicate, value, self._graph)

    def index(self, store: Store) -> SegmentCounts:
        """Write the segment from the store."""
        predicates = frozenset(node.value for node in self._predicates if node.value != RDF_TYPE)
        try:
            return self.segment.index(store, self._graph, predicates, self._progress)
        finally:
            self.segment.close()


def _statement_digest(statement: Statement) -> int:
    """Added up over all statements, so that their order does not matter."""
    text = " ".join(map(str, statement))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest, "little")


def _record(name: str, importer: Importer, counts: SegmentCounts, digest: str) -> SourceRecord:
    details = importer.details
    return SourceRecord(
        name=name,
        title=details.title or name,
        titles=details.titles,
        version=details.version,
        licence=details.licence,
        date=details.date,
        homepage=details.homepage,
        triples=counts.triples,
        entities=counts.entities,
        names=counts.names,
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

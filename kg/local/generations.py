"""Graph folders: generations, their manifests, the lock, and what a folder holds.

    medical/CURRENT            the name of the generation in use
    medical/g000002/store      Oxigraph
    medical/g000002/sources/   one index segment per source
    medical/g000002/manifest.json

A generation is built under another name and only renamed and pointed at when it is complete, so
a crash leaves the old one in use. The previous generation is kept for readers that still have it
open; older ones are deleted at the next import. This module never changes a finished generation.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout
from pyoxigraph import NamedNode

from kg.errors import GraphBusy, GraphTooNew, KgError, NotFound

__all__ = [
    "Manifest",
    "SourceRecord",
    "build_folder",
    "current_generation",
    "exclusive",
    "graph_name",
    "list_sources",
    "publish",
    "read_manifest",
    "write_manifest",
]

FORMAT = 1
_GENERATION = re.compile(r"g(\d{6,})")
_BUILDING = "building-"


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What the manifest says about one source."""

    name: str
    title: str
    titles: Mapping[str, str]
    version: str | None
    licence: str | None
    date: str | None
    homepage: str | None
    triples: int
    entities: int
    names: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation holds; `version` is a digest of its sources."""

    created: str
    version: str
    sources: tuple[SourceRecord, ...]

    @classmethod
    def of(cls, sources: tuple[SourceRecord, ...]) -> Manifest:
        """The manifest of these sources, made now."""
        ordered = tuple(sorted(sources, key=lambda source: source.name))
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(created, version_of(ordered), ordered)

    def without(self, name: str) -> tuple[SourceRecord, ...]:
        """The other sources."""
        return tuple(source for source in self.sources if source.name != name)


def version_of(sources: tuple[SourceRecord, ...]) -> str:
    """A short digest of names, versions and statements."""
    parts = [f"{one.name}\x1f{one.version or ''}\x1f{one.digest}" for one in sources]
    return hashlib.blake2b("\x1e".join(parts).encode(), digest_size=6).hexdigest()


def graph_name(source: str) -> NamedNode:
    """The named graph of a source."""
    return NamedNode(f"urn:graphcite:source:{source}")


def current_generation(folder: Path) -> Path:
    """The generation in use; NotFound when the folder holds none."""
    try:
        name = (folder / "CURRENT").read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(
            f"There is no graph in {folder} yet: run 'graphcite kg import starter' "
            "or 'graphcite kg import' with your own file.",
            chinese="还没有图谱：请运行 graphcite kg import starter，或导入自己的文件。",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise KgError(f"The graph in {folder} cannot be read: {error}.") from error
    if not _GENERATION.fullmatch(name) or not (folder / name).is_dir():
        raise KgError(
            f"The graph in {folder} is damaged: its file CURRENT names {name[:40]!r}, which is "
            "not there. Restore the folder from a backup, or delete it and import again."
        )
    return folder / name


def read_manifest(generation: Path) -> Manifest:
    """The manifest of a finished generation; GraphTooNew or KgError when it cannot be used."""
    path = generation / "manifest.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        written = int(data["format"])
        if written > FORMAT:
            raise GraphTooNew(
                f"The graph in {generation.parent} was written by a newer version of Graphcite "
                f"(format {written}, this one reads {FORMAT}): upgrade Graphcite."
            )
        names = [field.name for field in fields(SourceRecord)]
        sources = tuple(
            SourceRecord(**{name: one[name] for name in names}) for one in data["sources"]
        )
        return Manifest(str(data["created"]), str(data["version"]), sources)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KgError(
            f"The graph in {generation.parent} is damaged: {path.name} of {generation.name} "
            "cannot be read. Restore the folder from a backup, or delete it and import again.",
            repr(error),
        ) from error


def list_sources(folder: Path) -> tuple[SourceRecord, ...]:
    """The sources of the graph in use, by name."""
    return read_manifest(current_generation(folder)).sources


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold the folder for one import; GraphBusy at once when another has it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "import.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise GraphBusy(
            f"Another import is running on {folder}: wait until it ends, then try again."
        ) from None
    try:
        yield
    finally:
        lock.release()


def build_folder(folder: Path) -> Path:
    """An empty folder for the next generation; what a crashed import left is removed."""
    current = _current_number(folder)
    for path in list(folder.iterdir()):
        match = _GENERATION.fullmatch(path.name)
        if path.name.startswith(_BUILDING) or (match and int(match.group(1)) > current):
            shutil.rmtree(path, ignore_errors=True)
    building = folder / f"{_BUILDING}g{current + 1:06d}"
    (building / "sources").mkdir(parents=True)
    return building


def _current_number(folder: Path) -> int:
    if not (folder / "CURRENT").exists():
        return 0
    return int(current_generation(folder).name[1:])


def write_manifest(building: Path, manifest: Manifest) -> None:
    """Write the manifest, the last file of a generation."""
    data = {"format": FORMAT, **asdict(manifest)}
    path = building / "manifest.json"
    with path.open("w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    _sync_folder(building)


def publish(folder: Path, building: Path) -> Path:
    """Make a complete generation the one in use, then delete those older than the previous."""
    finished = folder / building.name.removeprefix(_BUILDING)
    if finished.exists():  # a crash between renaming and pointing
        shutil.rmtree(finished)
    building.rename(finished)
    pointer = folder / "CURRENT.new"
    with pointer.open("w", encoding="utf-8") as file:
        file.write(finished.name + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(pointer, folder / "CURRENT")
    _sync_folder(folder)
    number = int(finished.name[1:])
    for path in list(folder.iterdir()):
        match = _GENERATION.fullmatch(path.name)
        if match and int(match.group(1)) < number - 1:
            # Windows keeps files that a reader has open; the next import tries again.
            shutil.rmtree(path, ignore_errors=True)
    return finished


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

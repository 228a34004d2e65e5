"""Graph folders: generations, their manifests, the lock, and what a folder holds.

    medical/CURRENT            the name of the generation in use
    medical/g000002/store      Oxigraph
    medical/g000002/sources/   one index segment per source
    medical/g000002/identity/  which ids of the sources stand for one thing
    medical/g000002/files.json     size and digest of each file (kg.local.integrity)
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
from typing import Any

from filelock import FileLock, Timeout
from pyoxigraph import NamedNode

from kg.errors import BadInput, GraphBusy, GraphTooNew, GraphTooOld, KgError, NotFound
from kg.sources.statements import checked_source_name

__all__ = [
    "IDENTITY",
    "Manifest",
    "SourceRecord",
    "build_folder",
    "current_generation",
    "damaged",
    "exclusive",
    "graph_name",
    "list_sources",
    "one_line",
    "publish",
    "read_manifest",
    "write_manifest",
    "write_synced",
    "written",
]

FORMAT = 2
_GENERATION = re.compile(r"g(\d{6,})")
_BUILDING = "building-"
IDENTITY = "identity"


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
    """What a generation holds; `version` is a digest of its sources, `files` of its file notes."""

    created: str
    version: str
    sources: tuple[SourceRecord, ...]
    files: str | None = None

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


def damaged(folder: Path, what: str, detail: str = "") -> KgError:
    """The error for a folder that cannot be used as it is; `what` names one of its files."""
    source = what.split("/")[1] if what.startswith("sources/") else None
    again = f"import {source} again" if source else "delete it and import its sources again"
    chinese = f"重新导入 {source}" if source else "删除该文件夹并重新导入各来源"
    return KgError(
        f"The graph in {folder} is damaged ({what}): restore the folder from a backup, or {again}.",
        f"{what}: {detail}",
        chinese=f"{folder} 中的图谱已损坏（{what}）：请从备份恢复该文件夹，或{chinese}。",
    )


def one_line(error: BaseException) -> str:
    """What the system or a library says, short, as the end of a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}."
    return " ".join(str(error).split())[:200] or type(error).__name__


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
        raise damaged(folder, "CURRENT", repr(error)) from error
    if not _GENERATION.fullmatch(name) or not (folder / name).is_dir():
        raise damaged(folder, "CURRENT", f"it names {name[:40]!r}, which is not there")
    return folder / name


def written(generation: Path) -> tuple[int, int] | None:
    """What tells a generation from one of its name in a folder that was made anew."""
    try:
        found = (generation / "manifest.json").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def read_manifest(generation: Path) -> Manifest:
    """The manifest of a finished generation; GraphTooNew or KgError when it cannot be used."""
    path = generation / "manifest.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        written = int(data["format"])
        if written < FORMAT:
            raise GraphTooOld(generation.parent, [str(one["name"]) for one in data["sources"]])
        if written > FORMAT:
            raise GraphTooNew(
                f"The graph in {generation.parent} was written by a newer version of Graphcite "
                f"(format {written}, this one reads {FORMAT}): upgrade Graphcite."
            )
        sources = tuple(_record(one) for one in data["sources"])
        created, version = str(data["created"]), str(data["version"])
        files = data.get("files")
        return Manifest(created, version, sources, None if files is None else str(files))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadInput) as error:
        name = f"{generation.name}/{path.name}"
        raise damaged(generation.parent, name, repr(error)) from error


def _record(data: Mapping[str, Any]) -> SourceRecord:
    """A source as the manifest has it; ValueError when a part is not what it has to be."""
    record = SourceRecord(**{field.name: data[field.name] for field in fields(SourceRecord)})
    optional = (record.version, record.licence, record.date, record.homepage)
    texts = (record.title, record.digest, *record.titles, *record.titles.values())
    counts = (record.triples, record.entities, record.names)
    if not (
        all(isinstance(text, str) for text in texts)
        and all(text is None or isinstance(text, str) for text in optional)
        and all(type(count) is int for count in counts)
    ):
        raise ValueError(f"a part of source {record.name!r} is of another type")
    checked_source_name(record.name)
    return record


def list_sources(folder: Path) -> tuple[SourceRecord, ...]:
    """The sources of the graph in use, by name."""
    return read_manifest(current_generation(folder)).sources


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold the folder for one import; GraphBusy at once when another has it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "import.lock")
        lock.acquire(timeout=0)
    except Timeout:  # an OSError too
        raise GraphBusy(
            f"Another import is running on {folder}: wait until it ends, then try again."
        ) from None
    except OSError as error:
        raise KgError(
            f"{folder} cannot be written: {one_line(error)} Check its permissions and its disk.",
            repr(error),
            chinese=f"无法写入 {folder}（{one_line(error)}）：请检查其权限和磁盘。",
        ) from error
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
    write_synced(building / "manifest.json", json.dumps(data, ensure_ascii=False, indent=1))
    _sync_folder(building)


def write_synced(path: Path, text: str) -> None:
    """Write a small file and wait until the disk has it."""
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def publish(folder: Path, building: Path) -> Path:
    """Make a complete generation the one in use, then delete those older than the previous."""
    finished = folder / building.name.removeprefix(_BUILDING)
    if finished.exists():  # a crash between renaming and pointing
        shutil.rmtree(finished)
    building.rename(finished)
    pointer = folder / "CURRENT.new"
    write_synced(pointer, finished.name + "\n")
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

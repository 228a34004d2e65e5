"""What every file of a generation was when it was written, and whether it still is.

Sizes and digests lie in files.json, whose own digest is in the manifest. Sizes are looked at
whenever a generation is opened, digests before an import builds on it, when reading it went wrong,
and by `verify`. Generations written before there was a files.json are taken as they are. The
store's lock and log say nothing of the graph and are not noted.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kg.errors import KgError
from kg.local.generations import (
    IDENTITY,
    Manifest,
    current_generation,
    damaged,
    one_line,
    read_manifest,
    write_synced,
)

__all__ = ["altered", "check", "check_sizes", "damage", "reading", "verify", "write_notes"]

NOTES = "files.json"
_UNNOTED = ("LOCK", "LOG")

# Size and digest of each file, by its path inside the generation.
Notes = Mapping[str, tuple[int, str]]


def write_notes(building: Path, previous: Path | None, carried: Iterable[str]) -> str:
    """Note every file of a generation that is being built; the digest of the notes.

    The sources that are carried over from the previous generation keep the notes they have
    there: what was damaged stays known to be damaged.
    """
    known = _notes(previous, read_manifest(previous)) if previous is not None else {}
    kept = tuple(f"sources/{name}/" for name in carried)
    notes = {name: note for name, note in known.items() if name.startswith(kept)}
    for path in sorted(building.rglob("*")):
        name = path.relative_to(building).as_posix()
        if name in notes or not path.is_file() or path.name.startswith(_UNNOTED):
            continue
        if previous is not None and name in known and _is_same_file(path, previous / name):
            notes[name] = known[name]  # Oxigraph links what did not change
        else:
            notes[name] = (path.stat().st_size, _digest(path))
    content = json.dumps(notes, indent=0)
    write_synced(building / NOTES, content)
    return _digest_of(content.encode())


def _is_same_file(new: Path, old: Path) -> bool:
    return old.exists() and os.path.samefile(new, old)


def _notes(generation: Path, manifest: Manifest) -> Notes:
    """The notes of a finished generation; none when it was written without them."""
    if manifest.files is None:
        return {}
    try:
        content = (generation / NOTES).read_bytes()
        if _digest_of(content) == manifest.files:
            return {name: (size, digest) for name, (size, digest) in json.loads(content).items()}
        detail = "another digest"
    except OSError as error:
        detail = repr(error)
    raise damaged(generation.parent, f"{NOTES} of {generation.name}", detail)


def check_sizes(generation: Path, manifest: Manifest) -> None:
    """Raise when a file of the manifest's sources or of the store has not its noted size."""
    parts = ("store", IDENTITY, *(f"sources/{source.name}" for source in manifest.sources))
    for name, (size, _) in _notes(generation, manifest).items():
        if name.startswith(tuple(f"{part}/" for part in parts)):
            found = _size(generation / name)
            if found != size:
                raise damaged(generation.parent, name, f"{found} bytes instead of {size}")


def altered(generation: Path, manifest: Manifest) -> dict[str | None, str]:
    """The sources that are not as they were written, each with one such file; None: the store."""
    found: dict[str | None, str] = {}
    for name, (size, digest) in _notes(generation, manifest).items():
        part, _, rest = name.partition("/")
        owner = rest.partition("/")[0] if part == "sources" else None
        if owner not in found and not _is_intact(generation / name, size, digest):
            found[owner] = name
    return found


def _is_intact(path: Path, size: int, digest: str) -> bool:
    try:
        return _size(path) == size and _digest(path) == digest
    except OSError:
        return False


def damage(generation: Path) -> KgError | None:
    """The first damage of a generation, as an error to raise; None when nothing is known.

    That it was deleted is none: imports delete what was replaced, though somebody may read it.
    """
    try:
        if not generation.exists() and current_generation(generation.parent) != generation:
            return KgError(
                "The graph was replaced by newer imports while it was read: ask again.",
                f"{generation} is not there any more",
                chinese="读取期间图谱已被新的导入替换：请重新提问。",
            )
        found = altered(generation, read_manifest(generation))
    except KgError as error:
        return error
    return damaged(generation.parent, next(iter(found.values()))) if found else None


def check(folder: Path) -> None:
    """Look at the sizes of the graph in use; KgError names the first that is not as written."""
    generation = current_generation(folder)
    check_sizes(generation, read_manifest(generation))


def verify(folder: Path) -> None:
    """Read every file of the graph in use; KgError names the first that is not as written."""
    generation = current_generation(folder)
    problem = damage(generation)
    if problem is not None:
        raise problem


@contextmanager
def reading(generation: Path) -> Iterator[None]:
    """Tell what goes wrong while a generation is read: damage by name, faults of the disk, bugs.

    A fault in files that are as they were written is no damage: unless it is the store's or the
    system's, it is a bug of ours and passes through.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError, TypeError, LookupError, EOFError) as error:
        problem = damage(generation)
        if problem is not None:
            raise problem from error
        if isinstance(error, OSError | RuntimeError):
            raise KgError(
                f"The graph in {generation.parent} could not be read: {one_line(error)}",
                repr(error),
            ) from error
        if read_manifest(generation).files is None:
            raise damaged(generation.parent, generation.name, repr(error)) from error
        raise


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _digest_of(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()

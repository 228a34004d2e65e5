"""One SQLite file, one thread that owns its connection, jobs in the order in which they came.

Knows nothing of conversations. A job is a function of the database; `read` and `write` wait for
it; `call` awaits any function that uses them. Locks of other processes are waited out for a
while and then told as Unavailable.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlite_utils import Database

from bot.history import migrations
from kg.errors import BadInput, KgError, Unavailable

__all__ = ["DatabaseThread"]

Result = TypeVar("Result")
Job = Callable[[Database], Result]


class DatabaseThread:
    """The thread, and the connection that only it uses."""

    def __init__(self, path: Path, patience: float = 10.0) -> None:
        """Open `path`, made when missing; wait up to `patience` seconds for another's lock."""
        self._path = path
        self._patience = patience
        self._until = 0.0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="history")
        self._owner = self._thread.submit(threading.get_ident).result()
        try:
            self._db = self._submit(self._open).result()
        except BaseException:
            self._thread.shutdown()
            raise

    def read(self, job: Job[Result]) -> Result:
        """Run a job that only reads, and wait for it."""
        return self._run(lambda: self._read(job))

    def write(self, job: Job[Result]) -> Result:
        """Run a job in one transaction, and wait for it."""
        return self._run(lambda: self._write(job))

    async def call(self, function: Callable[[], Result]) -> Result:
        """Run a function that reads and writes on the thread, without blocking the event loop."""
        return await asyncio.wrap_future(self._submit(function))

    def scrub(self) -> None:
        """Empty the write-ahead log, so that what was deleted is in no file any more."""
        self.read(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())

    def close(self) -> None:
        """Finish the jobs under way and close the file; a second call does nothing."""
        try:
            self._thread.submit(self._db.close).result()
        except RuntimeError:  # the executor's word for being shut down already
            return
        self._thread.shutdown()

    def _run(self, function: Callable[[], Result]) -> Result:
        if threading.get_ident() == self._owner:
            return function()
        return self._submit(function).result()

    def _submit(self, function: Callable[[], Result]) -> Future[Result]:
        # Jobs queue behind each other: the time spent in the queue counts as waiting for a
        # lock, else twenty conversations would wait twenty times as long for the same lock.
        until = time.monotonic() + self._patience

        def work() -> Result:
            self._until = until
            return function()

        return self._thread.submit(work)

    def _read(self, job: Job[Result]) -> Result:
        with self._told():
            self._set_patience()
            return job(self._db)

    def _write(self, job: Job[Result]) -> Result:
        with self._told():
            self._set_patience()
            return self._transaction(job)

    def _set_patience(self) -> None:
        left = max(0.05, self._until - time.monotonic())
        self._db.execute(f"PRAGMA busy_timeout = {int(left * 1000):d}")

    def _transaction(self, job: Job[Result]) -> Result:
        # IMMEDIATE: a transaction that begins by reading gets "locked" at once when it then
        # writes, whatever the time-out (FIELD.md 45).
        connection = self._db.conn
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = job(self._db)
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise
        return result

    def _open(self) -> Database:
        with self._told():
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Conversations are private: SQLite would create the file readable for everyone.
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = sqlite3.connect(self._path, timeout=self._patience)
            db = Database(connection)
            try:
                self._prepare(db)
            except BaseException:
                db.close()
                raise
            return db

    def _prepare(self, db: Database) -> None:
        migrations.check_version(db)
        db.enable_wal()
        for pragma in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
            db.execute(f"PRAGMA {pragma}")
        self._db = db
        self._transaction(migrations.apply)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn SQLite's failures into lines for the user; bugs (IntegrityError …) pass through."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise _failure(error, self._path) from error
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise BadInput(
                f"{self._path} is not a readable history file: move it away, or restore a copy.",
                str(error),
            ) from error
        except OSError as error:
            raise BadInput(f"{self._path} cannot be opened: {error.strerror}.") from error


def _failure(error: sqlite3.OperationalError, path: Path) -> KgError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return Unavailable(
            "Another program is using the conversations, so nothing was stored: "
            "close it and try again.",
            text,
        )
    if "full" in text:
        return Unavailable(f"The disk that holds {path.parent} is full: make room.", text)
    if "readonly" in text or "unable to open" in text:
        return BadInput(f"{path} cannot be written: check its permissions.", text)
    return KgError("The conversations could not be read or written; the log says why.", text)

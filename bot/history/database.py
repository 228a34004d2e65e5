"""One SQLite file, one thread that owns its connection, jobs in the order in which they came.

Knows nothing of conversations. A job is a function of the database; `read` and `write` wait for
it; `call` awaits any function that uses them. Locks of other processes are waited out for a
while and then told as Unavailable; reading goes on beside them, opening too.

A file that cannot be written (full disk, read-only folder) is opened for reading where SQLite
can: read-only, or else as immutable, when not even the index of the write-ahead log can be made.
Immutable passes over that log, so what a crash left in it is not seen until the file can be
written again, and it takes for granted that nobody else writes, which holds on such a disk. Every
job first tries to open the file properly again.
"""

from __future__ import annotations

import asyncio
import logging
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
from bot.history.failures import Unwritable, failure
from kg.errors import KgError

__all__ = ["DatabaseThread"]

Result = TypeVar("Result")
Job = Callable[[Database], Result]

_log = logging.getLogger(__name__)


class DatabaseThread:
    """The thread, and the connection that only it uses."""

    def __init__(self, path: Path, patience: float = 10.0) -> None:
        """Open `path`, made when missing; wait up to `patience` seconds for another's lock."""
        self._path = path
        self._patience = patience
        self._until = 0.0
        self._unwritable: Unwritable | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="history")
        self._owner = self._thread.submit(threading.get_ident).result()
        try:
            self._db = self._submit(self._open).result()  # used on the thread only
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

    @property
    def unwritable(self) -> KgError | None:
        """Why the file can only be read at the moment; None when it can be written."""
        return self._unwritable

    def scrub(self) -> None:
        """Empty the write-ahead log, so that what was deleted is in no file any more."""
        self.read(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())

    def close(self) -> None:
        """Finish the jobs under way and close the file; a second call does nothing."""
        try:
            self._thread.submit(lambda: self._db.close()).result()
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
        self._reopen()
        with self._told():
            self._set_patience()
            return job(self._db)

    def _write(self, job: Job[Result]) -> Result:
        self._reopen()
        if self._unwritable is not None:
            raise self._unwritable
        with self._told():
            self._set_patience()
            return _transaction(self._db, job)

    def _set_patience(self) -> None:
        left = max(0.05, self._until - time.monotonic())
        self._db.execute(f"PRAGMA busy_timeout = {int(left * 1000):d}")

    def _open(self) -> Database:
        try:
            return self._for_writing()
        except Unwritable as error:
            db = self._for_reading()
            if db is None:
                raise
            self._unwritable = error
            return db

    def _reopen(self) -> None:
        """Open the file for writing again when it could not be written before."""
        if self._unwritable is None:
            return
        try:
            db = self._for_writing()
        except Unwritable as error:
            self._unwritable = error
            return
        self._db.close()
        self._db, self._unwritable = db, None

    def _for_writing(self) -> Database:
        with self._told():
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Conversations are private: SQLite would create the file readable for everyone.
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            db = Database(sqlite3.connect(self._path, timeout=self._patience))
            try:
                _prepare(db)
            except BaseException:
                db.close()
                raise
            return db

    def _for_reading(self) -> Database | None:
        """The file as far as it can be read; None when it cannot, or is not of this version."""
        for options in ("mode=ro", "mode=ro&immutable=1"):
            address = f"{self._path.absolute().as_uri()}?{options}"
            try:
                db = Database(sqlite3.connect(address, uri=True, timeout=self._patience))
            except sqlite3.OperationalError:  # there is no file at all
                return None
            try:
                migrations.check_version(db)
                if not migrations.needed(db):
                    return db
            except (sqlite3.DatabaseError, KgError) as error:
                _log.info("%s cannot be read with %s: %s", self._path, options, error)
            db.close()
        return None

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn SQLite's failures into lines for the user; bugs (IntegrityError …) pass through."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.DatabaseError, OSError) as error:
            raise failure(error, self._path) from error


def _prepare(db: Database) -> None:
    """Set the connection up. Writes, and so waits for others' locks, only when it has to."""
    migrations.check_version(db)
    db.enable_wal()
    for pragma in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
        db.execute(f"PRAGMA {pragma}")
    if migrations.needed(db):
        _transaction(db, migrations.apply)


def _transaction(db: Database, job: Job[Result]) -> Result:
    # IMMEDIATE: a transaction that begins by reading gets "locked" at once when it then
    # writes, whatever the time-out (FIELD.md 45).
    connection = db.conn
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = job(db)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return result

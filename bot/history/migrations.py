"""The tables of the history file, as numbered migrations that are never edited after a release.

Each runs in one transaction with the note that it ran, so a crash leaves it to be done again. A
file that a newer version has written is refused before anything in it is touched.
"""

from __future__ import annotations

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from kg.errors import KgError

__all__ = ["apply", "check_version", "needed"]

_MIGRATIONS = Migrations("graphcite")


@_MIGRATIONS()
def m001_conversations(db: Database) -> None:
    """Users, conversations, turns, answers with their records, numbers and feedback.

    Order comes from `activity` and `seq`, never from a clock; times are only shown.
    """
    for statement in _M001:
        db.execute(statement)


_M001 = (
    """
    CREATE TABLE users (
        identifier TEXT PRIMARY KEY,
        display_name TEXT,
        created_at TEXT NOT NULL
    )""",
    """
    CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        user TEXT NOT NULL REFERENCES users(identifier) ON DELETE CASCADE,
        name TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        activity INTEGER NOT NULL UNIQUE,
        mode TEXT NOT NULL,
        language TEXT,
        metadata TEXT NOT NULL DEFAULT '{}'
    )""",
    "CREATE INDEX conversations_of_user ON conversations(user, activity)",
    """
    CREATE TABLE turns (
        id TEXT PRIMARY KEY,
        conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        message_id TEXT NOT NULL UNIQUE,
        question TEXT NOT NULL,
        created_at TEXT NOT NULL,
        UNIQUE (conversation, seq)
    )""",
    """
    CREATE TABLE answers (
        id TEXT PRIMARY KEY,
        turn TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        message_id TEXT NOT NULL UNIQUE,
        run_id TEXT NOT NULL UNIQUE,
        record TEXT NOT NULL,
        created_at TEXT NOT NULL,
        UNIQUE (turn, seq)
    )""",
    """
    CREATE TRIGGER answers_are_final BEFORE UPDATE ON answers
    BEGIN SELECT RAISE(ABORT, 'an answer is never altered'); END""",
    """
    CREATE TABLE numbers (
        conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (conversation, key)
    )""",
    """
    CREATE TABLE feedback (
        id TEXT PRIMARY KEY,
        answer TEXT NOT NULL UNIQUE REFERENCES answers(id) ON DELETE CASCADE,
        value INTEGER NOT NULL,
        comment TEXT,
        updated_at TEXT NOT NULL
    )""",
)


def check_version(db: Database) -> None:
    """Refuse a file of a newer version, or one that is not ours; only reads."""
    known = {migration.name for migration in _MIGRATIONS._migrations}
    applied = {migration.name for migration in _MIGRATIONS.applied(db)}
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if applied - known or version > len(known):
        raise KgError(
            "The conversations were written by a newer version of Graphcite: "
            "update Graphcite, or choose another GRAPHCITE_HOME."
        )
    if not applied and db.table_names():
        raise KgError(
            "The history file belongs to another program: move it away, "
            "or choose another GRAPHCITE_HOME."
        )


def needed(db: Database) -> bool:
    """Whether `apply` would change anything; only reads, so that no lock is needed."""
    applied = len(_MIGRATIONS.applied(db))
    version = db.execute("PRAGMA user_version").fetchone()[0]
    return bool(_MIGRATIONS.pending(db)) or version != applied


def apply(db: Database) -> None:
    """Bring the tables up to date, under the write lock, so that two processes cannot race."""
    if _MIGRATIONS.pending(db):
        _MIGRATIONS.apply(db)
    version = len(_MIGRATIONS.applied(db))
    if db.execute("PRAGMA user_version").fetchone()[0] != version:
        db.execute(f"PRAGMA user_version = {version:d}")

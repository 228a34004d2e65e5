"""The changes of the history, each run inside one transaction that the caller has opened."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime

from sqlite_utils import Database

from bot.documents import from_document
from bot.history import reading
from kg.errors import BadInput, NotFound

__all__ = [
    "add_answer",
    "add_conversation",
    "add_feedback",
    "add_turn",
    "add_user",
    "change",
    "drop_branch",
    "drop_feedback",
    "remember",
    "rename_from",
]

_NEXT_ACTIVITY = "(SELECT coalesce(max(activity), 0) + 1 FROM conversations)"


def add_user(db: Database, identifier: str, display_name: str | None = None) -> None:
    """Make the user when missing."""
    db.execute(
        "INSERT INTO users (identifier, display_name, created_at) VALUES (?, ?, ?) "
        "ON CONFLICT (identifier) DO NOTHING",
        (identifier, display_name, _now()),
    )


def add_conversation(
    db: Database, identifier: str, user: str, name: str, mode: str, language: str | None
) -> None:
    """Make a conversation; one that exists is left as it is, and must be this user's."""
    add_user(db, user)
    owner = reading.owner(db, identifier)
    if owner == user:
        return
    if owner is not None:
        raise _no_conversation()
    now = _now()
    db.execute(
        "INSERT INTO conversations "
        "(id, user, name, created_at, updated_at, activity, mode, language) "
        f"VALUES (?, ?, ?, ?, ?, {_NEXT_ACTIVITY}, ?, ?)",
        (identifier, user, name, now, now, mode, language),
    )


def change(db: Database, conversation: str, user: str, sql: str, *values: str) -> bool:
    """Run `sql` for a conversation of this user; False when there is none."""
    return (
        db.execute(f"{sql} WHERE id = ? AND user = ?", (*values, conversation, user)).rowcount > 0
    )


def remember(
    db: Database, conversation: str, user: str, settings: Mapping[str, object], mode: str | None
) -> bool:
    """Merge settings into those of a conversation of this user; False when there is none."""
    rows = list(db.query("SELECT mode, metadata FROM conversations WHERE id = ?", (conversation,)))
    if not rows:
        return False
    kept = json.dumps({**json.loads(rows[0]["metadata"]), **settings}, ensure_ascii=False)
    sql = "UPDATE conversations SET mode = ?, metadata = ?"
    return change(db, conversation, user, sql, mode or rows[0]["mode"], kept)


def add_turn(
    db: Database, conversation: str, question: str, message_id: str, user: str | None
) -> str:
    """Add a question at the end of a conversation and give the turn's id."""
    owner = reading.owner(db, conversation)
    if owner is None or user not in (None, owner):
        raise _no_conversation()
    turn = str(uuid.uuid4())
    now = _now()
    db.execute(
        "INSERT INTO turns (id, conversation, seq, message_id, question, created_at) "
        "SELECT ?, ?, coalesce(max(seq), 0) + 1, ?, ?, ? FROM turns WHERE conversation = ?",
        (turn, conversation, message_id, question, now, conversation),
    )
    _touch(db, conversation, now)
    return turn


def add_answer(
    db: Database,
    turn: str,
    document: str,
    numbers: Mapping[str, int],
    message_id: str,
    run_id: str,
) -> str:
    """Add a finished answer to a turn and give the answer's id."""
    rows = list(db.query("SELECT conversation FROM turns WHERE id = ?", (turn,)))
    if not rows:
        raise NotFound(
            "The conversation was deleted or the question changed while the answer "
            "was being written, so the answer was not stored."
        )
    answer = str(uuid.uuid4())
    now = _now()
    db.execute(
        "INSERT INTO answers (id, turn, seq, message_id, run_id, record, created_at) "
        "SELECT ?, ?, coalesce(max(seq), 0) + 1, ?, ?, ?, ? FROM answers WHERE turn = ?",
        (answer, turn, message_id, run_id, document, now, turn),
    )
    _add_numbers(db, rows[0]["conversation"], numbers)
    _touch(db, rows[0]["conversation"], now)
    return answer


def drop_branch(db: Database, conversation: str, message_id: str) -> str | None:
    """Delete the turn of this message and all later ones; give its question, None if none was."""
    rows = list(db.query("SELECT * FROM turns WHERE message_id = ?", (message_id,)))
    if not rows:
        return None
    if rows[0]["conversation"] != conversation:
        raise BadInput("This message belongs to another conversation.")
    db.execute(
        "DELETE FROM turns WHERE conversation = ? AND seq >= ?", (conversation, rows[0]["seq"])
    )
    # Numbers are dense in what is left: those that only the old branch used are given out anew.
    db.execute("DELETE FROM numbers WHERE conversation = ?", (conversation,))
    for document in reading.documents(db, conversation):
        evidence = from_document(document).evidence
        used = {item.evidence.key: item.number for item in evidence if item.number is not None}
        _add_numbers(db, conversation, used)
    return str(rows[0]["question"])


def rename_from(db: Database, conversation: str, old: str, new: str) -> None:
    """Give the conversation another name if it still has the old one."""
    db.execute(
        "UPDATE conversations SET name = ? WHERE id = ? AND name = ?", (new, conversation, old)
    )


def add_feedback(db: Database, run_id: str, user: str, value: int, comment: str | None) -> str:
    """Store or replace what the user thinks of an answer and give the feedback's id."""
    answer = reading.answer_of_run(db, run_id, user)
    if answer is None:
        raise NotFound("The answer that this feedback is for is not stored.")
    db.execute(
        "INSERT INTO feedback (id, answer, value, comment, updated_at) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (answer) DO UPDATE SET value = excluded.value, "
        "comment = excluded.comment, updated_at = excluded.updated_at",
        (str(uuid.uuid4()), answer, value, comment, _now()),
    )
    rows = db.query("SELECT id FROM feedback WHERE answer = ?", (answer,))
    return str(next(iter(rows))["id"])


def drop_feedback(db: Database, feedback: str, user: str) -> bool:
    """Delete a feedback of this user; False when there is none."""
    cursor = db.execute(
        "DELETE FROM feedback WHERE id = ? AND answer IN (SELECT answers.id FROM answers "
        "JOIN turns ON turns.id = answers.turn "
        "JOIN conversations ON conversations.id = turns.conversation WHERE user = ?)",
        (feedback, user),
    )
    return cursor.rowcount > 0


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _no_conversation() -> NotFound:
    return NotFound("There is no such conversation: it was deleted, or it is another user's.")


def _touch(db: Database, conversation: str, now: str) -> None:
    db.execute(
        f"UPDATE conversations SET updated_at = ?, activity = {_NEXT_ACTIVITY} WHERE id = ?",
        (now, conversation),
    )


def _add_numbers(db: Database, conversation: str, numbers: Mapping[str, int]) -> None:
    for key, number in sorted(numbers.items(), key=lambda item: item[1]):
        db.execute(
            "INSERT INTO numbers (conversation, key, number) VALUES (?, ?, ?) "
            "ON CONFLICT (conversation, key) DO NOTHING",
            (conversation, key, number),
        )

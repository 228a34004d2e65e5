"""The queries of the history: rows of the database become values. Nothing here writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlite_utils import Database

from bot.documents import from_document
from bot.history.stored import (
    ConversationPage,
    ConversationSummary,
    StoredAnswer,
    StoredConversation,
    StoredFeedback,
    StoredTurn,
    StoredUser,
)
from bot.record import AnswerRecord
from kg.text import clean_label

__all__ = [
    "answer_of_run",
    "conversation",
    "documents",
    "last_answer",
    "numbers",
    "owner",
    "page",
    "user",
]

LONGEST_PAGE = 200

Row = dict[str, Any]


def user(db: Database, identifier: str) -> StoredUser | None:
    """The user of that name."""
    row = _first(db, "SELECT * FROM users WHERE identifier = ?", identifier)
    return row and StoredUser(row["identifier"], row["display_name"], row["created_at"])


def owner(db: Database, conversation: str) -> str | None:
    """Whose conversation it is."""
    row = _first(db, "SELECT user FROM conversations WHERE id = ?", conversation)
    return None if row is None else str(row["user"])


def page(
    db: Database, user: str, first: int, cursor: str | None, search: str | None
) -> ConversationPage:
    """Conversations of one user by last activity, latest first."""
    size = max(1, min(first, LONGEST_PAGE))
    rows = list(
        db.query(
            _PAGE,
            {
                "user": user,
                "before": _activity(cursor),
                "pattern": _pattern(search),
                "size": size + 1,
            },
        )
    )
    conversations = tuple(_summary(row) for row in rows[:size])
    more = len(rows) > size
    return ConversationPage(conversations, str(rows[size - 1]["activity"]) if more else None)


# A clock that was ahead for a while must not put its conversations before later ones: the time
# shown is never later than that of any conversation with a later activity.
_PAGE = """
    WITH ordered AS (
        SELECT *, min(updated_at) OVER (ORDER BY activity DESC) AS shown_at
        FROM conversations WHERE user = :user
    )
    SELECT * FROM ordered
    WHERE activity < :before AND (
        name LIKE :pattern ESCAPE '!' OR EXISTS (
            SELECT 1 FROM turns
            WHERE turns.conversation = ordered.id AND question LIKE :pattern ESCAPE '!'
        )
    )
    ORDER BY activity DESC LIMIT :size
"""


def conversation(db: Database, identifier: str, user: str) -> StoredConversation | None:
    """A conversation of one user with everything in it."""
    row = _first(db, "SELECT * FROM conversations WHERE id = ? AND user = ?", identifier, user)
    if row is None:
        return None
    answers: dict[str, list[StoredAnswer]] = {}
    for answer in db.query(_ANSWERS, (identifier,)):
        answers.setdefault(answer["turn"], []).append(_answer(answer))
    turns = tuple(
        StoredTurn(
            turn["id"],
            turn["message_id"],
            turn["question"],
            turn["created_at"],
            tuple(answers.get(turn["id"], ())),
        )
        for turn in db.query(
            "SELECT * FROM turns WHERE conversation = ? ORDER BY seq", (identifier,)
        )
    )
    return StoredConversation(_summary(row | {"shown_at": row["updated_at"]}), turns)


_ANSWERS = """
    SELECT answers.*, feedback.id AS feedback_id, feedback.value, feedback.comment
    FROM answers JOIN turns ON turns.id = answers.turn
    LEFT JOIN feedback ON feedback.answer = answers.id
    WHERE turns.conversation = ? ORDER BY turns.seq, answers.seq
"""


def documents(db: Database, conversation: str) -> Iterator[Row]:
    """The documents of a conversation's answers, in order."""
    for row in db.query(_ANSWERS, (conversation,)):
        yield json.loads(row["record"])


def numbers(db: Database, conversation: str) -> dict[str, int]:
    """The number of every evidence item that a conversation has cited, by its key."""
    sql = "SELECT key, number FROM numbers WHERE conversation = ? ORDER BY number, key"
    return {row["key"]: row["number"] for row in db.query(sql, (conversation,))}


def last_answer(db: Database, conversation: str) -> AnswerRecord | None:
    """The record of the latest answer of a conversation."""
    row = _first(
        db,
        "SELECT record FROM answers JOIN turns ON turns.id = answers.turn "
        "WHERE turns.conversation = ? ORDER BY turns.seq DESC, answers.seq DESC LIMIT 1",
        conversation,
    )
    return row and from_document(json.loads(row["record"]))


def answer_of_run(db: Database, run_id: str, user: str) -> str | None:
    """The id of the answer that a run of this user gave."""
    row = _first(
        db,
        "SELECT answers.id FROM answers JOIN turns ON turns.id = answers.turn "
        "JOIN conversations ON conversations.id = turns.conversation "
        "WHERE answers.run_id = ? AND conversations.user = ?",
        run_id,
        user,
    )
    return None if row is None else str(row["id"])


def _first(db: Database, sql: str, *parameters: str) -> Any:
    return next(iter(db.query(sql, parameters)), None)


def _activity(cursor: str | None) -> int:
    if cursor is not None and cursor.isascii() and cursor.isdigit() and len(cursor) < 19:
        return int(cursor)
    return 2**62


def _pattern(search: str | None) -> str:
    text = clean_label(search or "")
    for special in "!%_":
        text = text.replace(special, "!" + special)
    return f"%{text}%"


def _summary(row: Row) -> ConversationSummary:
    return ConversationSummary(
        row["id"],
        row["user"],
        row["name"],
        row["created_at"],
        row["shown_at"],
        row["mode"],
        row["language"],
        json.loads(row["metadata"]),
    )


def _answer(row: Row) -> StoredAnswer:
    feedback = None
    if row["feedback_id"] is not None:
        feedback = StoredFeedback(row["feedback_id"], row["value"], row["comment"])
    return StoredAnswer(
        row["id"],
        row["message_id"],
        row["run_id"],
        row["created_at"],
        from_document(json.loads(row["record"])),
        feedback,
    )

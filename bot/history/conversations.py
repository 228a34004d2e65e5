"""The history of all conversations: who asked what, what was answered, and on what evidence.

Every method blocks and may be called from any thread; on an event loop use
`await history.call(history.list, user, …)`. Records are written once. Whatever a user asks for
is looked up with that user's name, so that nobody sees or changes another's conversations.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ParamSpec, TypeVar

from sqlite_utils import Database

from bot.documents import to_document
from bot.history import reading, writing
from bot.history.database import DatabaseThread
from bot.history.stored import ConversationPage, StoredConversation, StoredUser
from bot.record import AnswerRecord
from kg.errors import KgError
from kg.text import clean_label

__all__ = ["DEFAULT_USER", "History"]

DEFAULT_USER = "local"
LONGEST_NAME = 80
LONGEST_COMMENT = 2000

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class History:
    """The history file. Close it when done."""

    def __init__(self, path: Path, patience: float = 10.0) -> None:
        """Open or make the file; `patience` is how long another program's lock is waited for."""
        self._file = DatabaseThread(path, patience)

    def close(self) -> None:
        """Finish what is under way and close the file."""
        self._file.close()

    @property
    def unwritable(self) -> KgError | None:
        """Why nothing can be stored now; None when it can."""
        return self._file.unwritable

    async def call(
        self,
        method: Callable[Parameters, Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Run one of the methods below without blocking the event loop."""
        return await self._file.call(lambda: method(*args, **kwargs))

    # Users

    def user(self, identifier: str) -> StoredUser | None:
        """The user of that name."""
        return self._file.read(lambda db: reading.user(db, identifier))

    def add_user(self, identifier: str, display_name: str | None = None) -> None:
        """Make the user of that name when missing."""
        self._file.write(lambda db: writing.add_user(db, identifier, display_name))

    # Conversations

    def create_conversation(
        self,
        user: str,
        name: str,
        mode: str,
        *,
        conversation: str | None = None,
        language: str | None = None,
    ) -> str:
        """Make a conversation and give its id; one of this user's that exists stays as it is."""
        identifier = conversation or str(uuid.uuid4())
        shown = _shown_name(name)
        self._file.write(
            lambda db: writing.add_conversation(db, identifier, user, shown, mode, language)
        )
        return identifier

    def conversation(self, conversation: str, user: str) -> StoredConversation | None:
        """The conversation with all its turns, answers and records, if it is this user's."""
        return self._file.read(lambda db: reading.conversation(db, conversation, user))

    def owner(self, conversation: str) -> str | None:
        """Whose conversation it is; None when there is none."""
        return self._file.read(lambda db: reading.owner(db, conversation))

    def list(
        self, user: str, first: int = 35, cursor: str | None = None, search: str | None = None
    ) -> ConversationPage:
        """Conversations by last activity, latest first; `search` looks in names and questions."""
        return self._file.read(lambda db: reading.page(db, user, first, cursor, search))

    def rename(self, conversation: str, user: str, name: str) -> bool:
        """Give the conversation a name; False when it is not this user's, or the name is empty."""
        if not clean_label(name):
            return False
        sql = "UPDATE conversations SET name = ?"
        return self._file.write(
            lambda db: writing.change(db, conversation, user, sql, _shown_name(name))
        )

    def remember(
        self, conversation: str, user: str, settings: Mapping[str, object], mode: str | None = None
    ) -> bool:
        """Keep settings, over those kept before, and the mode; False when it is not this user's."""
        return self._file.write(lambda db: writing.remember(db, conversation, user, settings, mode))

    def delete(self, conversation: str, user: str) -> bool:
        """Delete the conversation with all that belongs to it, from the file's bytes too."""
        sql = "DELETE FROM conversations"
        deleted = self._file.write(lambda db: writing.change(db, conversation, user, sql))
        if deleted:
            self._file.scrub()
        return deleted

    # Turns and answers

    def start_turn(
        self, conversation: str, question: str, message_id: str, *, user: str | None = None
    ) -> str:
        """Store a question and give the turn's id.

        A message that the conversation holds already is an edit: its turn and all later ones are
        deleted first, and a conversation named after it gets the new question's name. `user`,
        where given, must own the conversation.
        """

        def job(db: Database) -> tuple[str | None, str]:
            old = writing.drop_branch(db, conversation, message_id)
            turn = writing.add_turn(db, conversation, question, message_id, user)
            if old is not None:
                writing.rename_from(db, conversation, _shown_name(old), _shown_name(question))
            return old, turn

        old, turn = self._file.write(job)
        if old is not None:
            self._file.scrub()
        return turn

    def store_answer(
        self,
        turn_id: str,
        record: AnswerRecord,
        numbers: Mapping[str, int],
        *,
        message_id: str,
        run_id: str | None,
    ) -> str:
        """Store a finished answer, its record and its numbers in one go, for good."""
        document = json.dumps(to_document(record), ensure_ascii=False)
        run = run_id or str(uuid.uuid4())
        return self._file.write(
            lambda db: writing.add_answer(db, turn_id, document, numbers, message_id, run)
        )

    def numbers(self, conversation: str) -> dict[str, int]:
        """The number of every evidence item that was cited so far, by its key."""
        return self._file.read(lambda db: reading.numbers(db, conversation))

    def last_answer(self, conversation: str) -> AnswerRecord | None:
        """The record of the latest answer."""
        return self._file.read(lambda db: reading.last_answer(db, conversation))

    # Feedback

    def set_feedback(self, run_id: str, user: str, value: int, comment: str | None) -> str:
        """Store what the user thinks of an answer (1 up, 0 down) and give the feedback's id."""
        text = (comment or "")[:LONGEST_COMMENT] or None
        thumb = 1 if value else 0
        return self._file.write(lambda db: writing.add_feedback(db, run_id, user, thumb, text))

    def delete_feedback(self, feedback: str, user: str) -> bool:
        """Delete a feedback; False when there is none of this user's."""
        return self._file.write(lambda db: writing.drop_feedback(db, feedback, user))


def _shown_name(name: str) -> str:
    return clean_label(name)[:LONGEST_NAME].rstrip() or "…"

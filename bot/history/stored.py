"""What the history gives back: conversations, turns and answers as values. Nothing here reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.record import AnswerRecord

__all__ = [
    "ConversationPage",
    "ConversationSummary",
    "StoredAnswer",
    "StoredConversation",
    "StoredFeedback",
    "StoredTurn",
    "StoredUser",
]


@dataclass(frozen=True, slots=True)
class StoredUser:
    """Whose conversations these are; `identifier` is the log-in name."""

    identifier: str
    display_name: str | None
    created: str


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """A thumb (1 up, 0 down) and what was written with it."""

    id: str
    value: int
    comment: str | None


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One finished answer: the record, and the ids that the page knows it by."""

    id: str
    message_id: str
    run_id: str
    created: str
    record: AnswerRecord
    feedback: StoredFeedback | None = None


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question with its answers, oldest first; none when the turn failed."""

    id: str
    message_id: str
    question: str
    created: str
    answers: tuple[StoredAnswer, ...]


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One line of a list of conversations. `updated` is the time of the last activity."""

    id: str
    user: str
    name: str
    created: str
    updated: str
    mode: str
    language: str | None
    metadata: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation in full."""

    summary: ConversationSummary
    turns: tuple[StoredTurn, ...]

    @property
    def id(self) -> str:
        """The conversation's id."""
        return self.summary.id

    @property
    def name(self) -> str:
        """The conversation's name."""
        return self.summary.name


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Some conversations, latest activity first; `cursor` asks for the next ones, None: no more."""

    conversations: tuple[ConversationSummary, ...]
    cursor: str | None

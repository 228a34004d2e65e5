"""Chainlit's door to the history.

Steps and elements are neither taken from Chainlit nor stored: turns and records are written by
bot.conversation, and threads are made from them when asked for (bot.page.thread). So nothing that
a browser sends can alter a record, and conversations of the command line open in the page.

Chainlit names no user in most calls. The thread routes check the author before (get_thread_author);
the feedback routes do not, so bot.page.routes replaces them; the share and element routes are
closed by bot.page.guard.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from chainlit.context import ChainlitContextException, context
from chainlit.data.base import BaseDataLayer
from chainlit.element import Element, ElementDict
from chainlit.step import StepDict
from chainlit.types import (
    Feedback,
    PageInfo,
    PaginatedResponse,
    Pagination,
    ThreadDict,
    ThreadFilter,
)
from chainlit.user import PersistedUser, User

from bot.history.conversations import History
from bot.history.stored import StoredUser
from bot.page.thread import element_of, thread_dict, thread_summary
from kg.errors import NotFound

__all__ = ["HistoryDataLayer"]

LARGEST_SETTINGS = 4096


class HistoryDataLayer(BaseDataLayer):
    """BaseDataLayer over a History; the History is closed by whoever opened it."""

    def __init__(self, history: History, default_mode: str) -> None:
        self._history = history
        self._default_mode = default_mode

    async def get_user(self, identifier: str) -> PersistedUser | None:
        """The user who logs in or sends a request."""
        user = await self._history.call(self._history.user, identifier)
        return None if user is None else _persisted(user)

    async def create_user(self, user: User) -> PersistedUser | None:
        """The user, made when missing."""
        await self._history.call(self._history.add_user, user.identifier, user.display_name)
        return await self.get_user(user.identifier)

    async def get_thread_author(self, thread_id: str) -> str:
        """Whose conversation it is; empty when there is none, which Chainlit answers with 404."""
        return await self._history.call(self._history.owner, thread_id) or ""

    async def get_thread(self, thread_id: str) -> ThreadDict | None:
        """The conversation for its author: every caller compares userIdentifier or asks before."""
        owner = await self.get_thread_author(thread_id)
        conversation = await self._history.call(self._history.conversation, thread_id, owner)
        return None if conversation is None else thread_dict(conversation)

    async def list_threads(
        self, pagination: Pagination, filters: ThreadFilter
    ) -> PaginatedResponse[ThreadDict]:
        """The sidebar and the search."""
        page = await self._history.call(
            self._history.list,
            filters.userId or "",
            pagination.first,
            pagination.cursor,
            filters.search,
        )
        threads = [thread_summary(conversation) for conversation in page.conversations]
        start = threads[0]["id"] if threads else None
        info = PageInfo(page.cursor is not None, start, page.cursor)
        return PaginatedResponse(pageInfo=info, data=threads)

    async def update_thread(
        self,
        thread_id: str,
        name: str | None = None,
        user_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        tags: list[str] | None = None,
    ) -> None:
        """A first message (name and user), a rename (name), or a disconnect (metadata).

        The last comes for deleted conversations too and must not bring them back.
        """
        if name is not None and user_id is not None:
            await self._history.call(
                self._history.create_conversation,
                user_id,
                name,
                self._default_mode,
                conversation=thread_id,
            )
            return
        owner = await self.get_thread_author(thread_id)
        if not owner or _session_user() not in (None, owner):
            return
        if name is not None:
            await self._history.call(self._history.rename, thread_id, owner, name)
        settings = _small_settings(metadata or {})
        if settings:
            await self._history.call(self._history.remember, thread_id, owner, settings)

    async def delete_thread(self, thread_id: str) -> None:
        """Delete a conversation with all that belongs to it."""
        owner = await self.get_thread_author(thread_id)
        await self._history.call(self._history.delete, thread_id, owner)

    async def get_element(self, thread_id: str, element_id: str) -> ElementDict | None:
        """An element on a page of its own."""
        owner = await self.get_thread_author(thread_id)
        conversation = await self._history.call(self._history.conversation, thread_id, owner)
        return None if conversation is None else element_of(conversation, element_id)

    async def upsert_feedback(self, feedback: Feedback) -> str:
        """Refused: it names no user. bot.page.routes answers this route."""
        raise NotFound("Feedback is given through the page.")

    async def delete_feedback(self, feedback_id: str) -> bool:
        """Refused: it names no user. bot.page.routes answers this route."""
        return False

    # What Chainlit would have stored; see the module's docstring. Not queued until the first
    # message as the base class asks, since there is nothing to queue.

    async def create_step(self, step_dict: StepDict) -> None:
        """Nothing: the turn is stored by bot.conversation."""

    async def update_step(self, step_dict: StepDict) -> None:
        """Nothing: records are never altered, and an edit begins a new turn."""

    async def delete_step(self, step_id: str) -> None:
        """Nothing: an edit deletes the turn and all later ones in the history itself."""

    async def create_element(self, element: Element) -> None:
        """Nothing: elements are made from records."""

    async def delete_element(self, element_id: str, thread_id: str | None = None) -> None:
        """Nothing: elements are made from records."""

    async def get_favorite_steps(self, user_id: str) -> list[StepDict]:
        """None: favourites are switched off."""
        return []

    async def build_debug_url(self) -> str:
        """No page for debugging."""
        return ""

    async def close(self) -> None:
        """Nothing: the runtime closes the history."""


def _persisted(user: StoredUser) -> PersistedUser:
    return PersistedUser(
        id=user.identifier,
        identifier=user.identifier,
        display_name=user.display_name,
        createdAt=user.created,
    )


def _session_user() -> str | None:
    """The user of the session in which this call is made; None in a plain HTTP request."""
    try:
        user = context.session.user
    except ChainlitContextException:
        return None
    return user.identifier if user else None


def _small_settings(metadata: Mapping[str, Any]) -> dict[str, object]:
    """The chat settings among all that a session holds; `is_shared` and the rest are dropped."""
    settings = metadata.get("chat_settings")
    if not isinstance(settings, dict) or not settings:
        return {}
    if len(json.dumps(settings)) > LARGEST_SETTINGS:
        return {}
    return {"chat_settings": settings}

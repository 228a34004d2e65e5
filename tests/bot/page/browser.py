"""The browser's side of Chainlit's socket, without a server: what it sends, what it would show."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from typing import Any

import chainlit.socket as chainlit_socket
from chainlit.data import get_data_layer
from chainlit.session import WebsocketSession
from chainlit.user import PersistedUser

__all__ = ["Browser"]


class Browser:
    """One tab. Use inside a running event loop."""

    def __init__(
        self, user: str = "local", thread: str | None = None, language: str = "en-US"
    ) -> None:
        self.events: list[tuple[str, Any]] = []
        self.sid = str(uuid.uuid4())
        self._user, self._language = user, language
        self._thread = thread
        self._news = asyncio.Event()
        self.session: WebsocketSession

    async def connect(self) -> Browser:
        """Open the page, or a stored conversation on it."""
        layer = get_data_layer()
        assert layer is not None
        from chainlit.user import User

        user = await layer.create_user(User(identifier=self._user))
        assert isinstance(user, PersistedUser)

        async def emit(event: str, data: Any) -> None:
            self.events.append((event, data))
            self._news.set()

        self.session = WebsocketSession(
            id=str(uuid.uuid4()),
            socket_id=self.sid,
            emit=emit,  # type: ignore[arg-type]
            emit_call=emit,
            user_env={},
            client_type="webapp",
            user=user,
            thread_id=self._thread,
            environ={"HTTP_ACCEPT_LANGUAGE": self._language},
        )
        await chainlit_socket.connection_successful(self.sid)
        await asyncio.sleep(0)
        return self

    @property
    def thread(self) -> str:
        """The id of the conversation."""
        return self.session.thread_id

    async def ask(self, text: str, mode: str | None = None) -> str:
        """Send a message, wait for the answer, give the message's id."""
        message = self.message(text, mode)
        await chainlit_socket.process_message(self.session, {"message": message})  # type: ignore
        return str(message["id"])

    def start(self, text: str) -> asyncio.Task[None]:
        """Send a message as the socket does, without waiting."""
        payload: Any = {"message": self.message(text)}
        task = asyncio.create_task(chainlit_socket.process_message(self.session, payload))
        self.session.current_task = task
        return task

    def start_edit(self, message_id: str, text: str) -> asyncio.Task[None]:
        """Edit a question as the socket does, without waiting."""
        payload: Any = {"message": {**self.message(text), "id": message_id}}
        return asyncio.create_task(chainlit_socket.edit_message(self.sid, payload))

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something holds of what the page was sent."""
        while not condition():
            self._news.clear()
            await self._news.wait()

    async def stop(self) -> None:
        """Press Stop."""
        await chainlit_socket.stop(self.sid)

    async def leave(self) -> None:
        """Close the tab."""
        await chainlit_socket.disconnect(self.sid)

    def message(self, text: str, mode: str | None = None) -> dict[str, Any]:
        """A message as the page sends it."""
        return {
            "id": str(uuid.uuid4()),
            "threadId": "",
            "name": self._user,
            "type": "user_message",
            "output": text,
            "createdAt": "2026-11-30T12:00:00Z",
            "modes": {"mode": mode} if mode else None,
            "metadata": {},
        }

    def steps(self) -> dict[str, dict[str, Any]]:
        """The steps that the page would show now, by id, in order of appearance."""
        shown: dict[str, dict[str, Any]] = {}
        for event, data in self.events:
            if event in ("new_message", "stream_start", "update_message"):
                shown[data["id"]] = {**shown.get(data["id"], {}), **data}
            elif event == "stream_token":
                step = shown[data["id"]]
                step["output"] = (
                    data["token"] if data["isSequence"] else step["output"] + data["token"]
                )
            elif event == "delete_message":
                shown.pop(data["id"], None)
            elif event == "resume_thread":
                shown = {step["id"]: dict(step) for step in data["steps"]}
        return shown

    def answers(self) -> list[dict[str, Any]]:
        """The assistant's messages that the page would show now."""
        return [s for s in self.steps().values() if s["type"] == "assistant_message"]

    def elements(self) -> list[dict[str, Any]]:
        """The elements that the page would show now."""
        shown: dict[str, dict[str, Any]] = {}
        for event, data in self.events:
            if event == "element":
                shown[data["id"]] = data
            elif event == "resume_thread":
                shown = {element["id"]: element for element in data["elements"]}
        return list(shown.values())

    def seen(self, event: str) -> list[Any]:
        """The data of all events of a kind."""
        return [data for name, data in self.events if name == event]

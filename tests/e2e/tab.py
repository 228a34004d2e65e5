"""A tab of the browser with the chat page in it, and what went wrong there."""

from __future__ import annotations

from typing import Any

__all__ = ["Page"]

WAIT = 60_000  # milliseconds: the first answer may load models


class Page:
    """The chat page, signed in and connected."""

    def __init__(self, context: Any, url: str) -> None:
        self.tab = context.new_page()
        self.foreign: list[str] = []
        self.errors: list[str] = []
        self.tab.on("requestfinished", self._note)
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.set_default_timeout(WAIT)
        self._url = url
        self.tab.goto(url)
        # Signing in goes to another page and back; starters can be clicked when that is done.
        self.tab.wait_for_selector("#starters button:enabled")

    def send(self, question: str) -> None:
        """Ask without waiting."""
        self.tab.fill("#chat-input", question)
        self.tab.click("#chat-submit")

    def ask(self, question: str) -> Any:
        """Ask and wait for the answer with its evidence."""
        before = self.tab.locator(".gc-evidence").count()
        self.send(question)
        self.tab.locator(".gc-evidence").nth(before).wait_for()
        self.tab.wait_for_selector("#stop-button", state="detached")
        return self.answer()

    def answer(self) -> Any:
        """The last answer."""
        return self.tab.locator("[data-step-type=assistant_message]").last

    def answer_text(self) -> str:
        """What the last answer reads; the space that holds a citation counts as any space."""
        return str(self.answer().inner_text()).replace("\u00a0", " ")

    def _note(self, request: Any) -> None:
        if not request.url.startswith((self._url, "data:", "blob:")):
            self.foreign.append(request.url)

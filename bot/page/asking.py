"""One question on the page: from the message that came in to the answer as it stays.

The answer itself is bot.conversation's. Whatever goes wrong is told in one line, and what was
shown stays.
"""

from __future__ import annotations

import asyncio
import logging

import chainlit as cl

from bot.conversation import Turn, take_turn
from bot.history.conversations import DEFAULT_USER, History
from bot.page.hygiene import as_text
from bot.page.live import LiveAnswer
from bot.page.words import words_for
from bot.runtime import Runtime
from kg.errors import KgError, Unavailable
from kg.text import language_of

__all__ = ["answer"]

_log = logging.getLogger(__name__)


async def answer(runtime: Runtime, history: History, message: cl.Message, mode: str) -> None:
    """Answer a message and show the answer. Raises only when it is stopped."""
    language = language_of(message.content)
    words = words_for(language)
    with LiveAnswer(message, language) as live:
        stored: str | None = None
        try:
            stored = await _open(history, live, mode, language)
            record = await take_turn(runtime, _turn(live, stored, mode), live)
            await live.show(record)
        except asyncio.CancelledError:
            await _show_stored(history, live, stored, "stopped", as_text(words["stopped"]))
            raise
        except KgError as error:
            _log.info("a question was not answered: %s", error)
            await _show_stored(history, live, stored, "failed", as_text(error.message(language)))
        except Exception:
            _log.exception("a question failed")
            await live.end(_after(live.shown, as_text(words["wrong"])), is_error=True)


async def _open(history: History, live: LiveAnswer, mode: str, language: str) -> str | None:
    """Make the conversation when missing; None while the file is locked: go on without it."""
    try:
        await history.call(
            history.create_conversation,
            _user(),
            live.question.content,
            mode,
            conversation=live.thread,
            language=language,
        )
        await history.call(history.remember, live.thread, _user(), {}, mode)
    except Unavailable as error:
        reason = words_for(language)["not_stored"].format(reason=error.message(language))
        await cl.context.emitter.send_toast(reason, "warning")
        return None
    return live.thread


def _turn(live: LiveAnswer, stored: str | None, mode: str) -> Turn:
    return Turn(
        question=live.question.content,
        conversation=stored,
        mode=mode,
        user=_user(),
        message_id=live.question.id,
        answer_id=live.message.id,
        run_id=live.run_id,
    )


async def _show_stored(
    history: History, live: LiveAnswer, stored: str | None, status: str, otherwise: str
) -> None:
    """Show what was stored of an answer that did not end well, or `otherwise`."""
    record = None
    if stored is not None:
        record = await history.call(history.last_answer, stored)
    if record and record.status == status and record.question == live.question.content:
        await live.show(record)
        return
    if live.has_step:
        await live.end_step(words_for(language_of(live.question.content))["found"], otherwise)
    await live.end(_after(live.shown, otherwise), is_error=status == "failed")


def _after(shown: str, text: str) -> str:
    return f"{shown}\n\n{text}" if shown else text


def _user() -> str:
    user = cl.context.session.user
    return user.identifier if user else DEFAULT_USER

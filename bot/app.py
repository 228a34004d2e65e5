"""Chainlit's handlers, and nothing else. Loaded by its path (bot.server); nothing imports it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import chainlit as cl
from chainlit.chat_context import chat_context
from chainlit.config import config
from chainlit.server import app
from chainlit.types import ThreadDict

from bot.history.conversations import DEFAULT_USER
from bot.history.data_layer import HistoryDataLayer
from bot.page.asking import answer
from bot.page.choices import MODES, chosen_mode, mode_picker, starters
from bot.page.guard import Guard
from bot.page.live import follow
from bot.page.routes import add_routes
from bot.page.words import page_language
from bot.runtime import runtime

_runtime = runtime()
_settings = _runtime.settings
_history = _runtime.history

add_routes(app, _history)
app.add_middleware(Guard, port=config.run.port, allowed_hosts=_settings.allowed_hosts)


@cl.data_layer
def data_layer() -> HistoryDataLayer:
    """History, sidebar and resuming."""
    return HistoryDataLayer(_history, _settings.mode)


@cl.header_auth_callback
async def sign_in(headers: Any) -> cl.User:
    """Nobody signs in on this machine's own page: there is one user."""
    return cl.User(identifier=DEFAULT_USER)


@cl.on_app_startup
async def start() -> None:
    """Load the models in the background: the page opens at once."""
    asyncio.get_running_loop().run_in_executor(None, _warm)


@cl.on_app_shutdown
async def stop_all() -> None:
    """Close the files."""
    await asyncio.to_thread(_runtime.close)


@cl.set_starters
async def first_questions(user: cl.User | None, language: str | None) -> list[cl.Starter]:
    """Questions to start with."""
    return starters(page_language(language))


@cl.on_chat_start
async def begin() -> None:
    """Offer the modes."""
    await _offer_modes(_settings.mode)


async def resume(thread: ThreadDict) -> None:
    """Offer the modes again, with the one last used; follow an answer that is being written."""
    mode = (thread.get("metadata") or {}).get("mode")
    await _offer_modes(mode if mode in MODES else _settings.mode)
    await follow(thread)


# Not by Chainlit's decorator: it tells the page that all work has ended when this returns, though
# an answer may be under way.
config.code.on_chat_resume = resume


@cl.on_message
async def ask(message: cl.Message) -> None:
    """Answer a question, new or edited."""
    # Chainlit forgets this for an edited question, which Stop could not stop then.
    cl.context.session.current_task = asyncio.current_task()
    mode = chosen_mode(message, cl.user_session.get("mode") or _settings.mode)
    cl.user_session.set("mode", mode)
    await answer(_runtime, _history, message, mode)


@cl.on_stop
async def stopped() -> None:
    """Take back the English line that Chainlit adds; the answer itself says that it was stopped."""
    for message in reversed(chat_context.get()):
        if message.content == "Task manually stopped.":
            await message.remove()
            return


async def _offer_modes(mode: str) -> None:
    cl.user_session.set("mode", mode)
    language = page_language(cl.context.session.environ.get("HTTP_ACCEPT_LANGUAGE"))
    await cl.context.emitter.set_modes(mode_picker(language, mode))


def _warm() -> None:
    try:
        _runtime.warm()
    except Exception:
        logging.getLogger(__name__).exception("loading models in the background failed")

"""`serve` with scripted answers: `python -m tests.e2e.scripted_serve serve --port N`."""

from __future__ import annotations

import sys
from dataclasses import replace

import bot.conversation
from bot.runtime import Runtime
from bot.server import serve
from bot.settings import load_settings
from tests.bot.page import scripted

if __name__ == "__main__":
    bot.conversation.take_turn = scripted.take_turn  # type: ignore[assignment]
    Runtime.warm = lambda self: None  # type: ignore[method-assign]
    serve(replace(load_settings(), port=int(sys.argv[-1])))

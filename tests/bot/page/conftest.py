"""Chainlit writes files where it is imported: give it a folder of its own before that happens."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_ROOT = tempfile.mkdtemp(prefix="graphcite-chainlit-")
atexit.register(shutil.rmtree, _ROOT, ignore_errors=True)
os.environ["CHAINLIT_APP_ROOT"] = _ROOT
os.environ["CHAINLIT_AUTH_SECRET"] = "a-secret-for-tests-that-is-long-enough-for-hs256"
shutil.copytree(Path(__file__).parents[3] / ".chainlit", Path(_ROOT) / ".chainlit")

APP = Path(__file__).parents[3] / "bot" / "app.py"


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The runtime that the app is loaded with: a home of its own, no graph, no model."""
    from bot.runtime import Runtime
    from bot.settings import load_settings

    home = tmp_path_factory.mktemp("home")
    made = Runtime(load_settings({"GRAPHCITE_HOME": str(home)}))
    yield made
    made.close()


@pytest.fixture(scope="session")
def app(runtime: Any) -> Iterator[Any]:
    """Chainlit's ASGI application with our handlers, answering from a script."""
    import bot.page.asking
    import bot.runtime
    from tests.bot.page import scripted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.runtime, "runtime", lambda: runtime)
        from chainlit.config import config, load_module
        from chainlit.server import app

        config.run.port = 8000
        load_module(str(APP))
    # Only the page's: tests of the conversation itself run in this process too.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.page.asking, "take_turn", scripted.take_turn)
        yield app


@pytest.fixture
def history(runtime: Any, app: Any) -> Any:
    """The history behind the app."""
    return runtime.history

"""A real server on loopback and a real Chromium: what a user has."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needs import need

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
READY_SECONDS = 180
STOP_SECONDS = 15


class Server:
    """`graphcite serve` as a process of its own, over one home.

    `folder` is where it is started, `path` where its packages are looked for first.
    """

    def __init__(
        self,
        home: Path,
        module: str = "bot.cli",
        *,
        folder: Path | None = None,
        path: Path | None = None,
    ) -> None:
        self.home = home
        self._folder, self._path = folder, path
        self.port = _free_port()
        self._module = module
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and wait for the line that says it is ready."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GRAPHCITE_", "CHAINLIT_"))
        }
        environment |= {"GRAPHCITE_HOME": str(self.home), "GRAPHCITE_OFFLINE": "1"}
        if self._path:
            environment["PYTHONPATH"] = str(self._path)
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module, "serve", "--port", str(self.port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            cwd=self._folder,
        )
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_pump, args=(self._process, lines), daemon=True).start()
        said: list[str] = []
        while (line := lines.get(timeout=READY_SECONDS)) is not None:
            said.append(line)
            if line.startswith(f"Graphcite is ready at {self.url}"):
                return
        self._process.wait(STOP_SECONDS)
        pytest.fail("the server ended: " + "".join(said))

    def stop(self) -> int:
        """Press Ctrl-C and give the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise


def _pump(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over a fresh home, with the starter graph; stopped at the end."""
    running = Server(tmp_path_factory.mktemp("home"))
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="session")
def scripted_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose answers come from a script: awkward texts, slow answers, failures."""
    running = Server(tmp_path_factory.mktemp("scripted"), "tests.e2e.scripted_serve")
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser."""
    need(CHROMIUM.exists(), "Debian's chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    """A browser profile of its own, English, as wide as a laptop."""
    opened = chromium.new_context(locale="en-US", viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()

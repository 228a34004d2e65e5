"""`graphcite ask … --json` in this process, with a chat model that answers by job or with none.

The command line is invoked as a user does, without the second that a process of its own takes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from bot.cli import main
from tests.fakes import FakeModel, Script, chat
from tests.scripted_model import job_of

__all__ = ["Document", "Shown", "ask"]

Document = dict[str, Any]
_HOP = re.compile(r"(.+?) — (.+?) — (.+?) \(")
_JOBS_OF_ANSWERS = ("answer", "answer-notes")
_TOLD = 3  # lines of evidence that the scripted answer tells


@dataclass(frozen=True, slots=True)
class Shown:
    """What came out, and the jobs that the model's server was asked for, in order.

    `document` is empty where the command failed: `error` says why.
    """

    code: int
    document: Document
    error: str
    jobs: tuple[str | None, ...] = ()

    @property
    def calls(self) -> dict[str, int]:
        """The calls that the model's server got, as the document should count them."""
        names = ["answer" if job in _JOBS_OF_ANSWERS else str(job) for job in self.jobs]
        return {name: names.count(name) for name in names}


class _ByJob(list[Script]):
    """Scripts that never end: each reply is for the job that was just asked for."""

    def __init__(self, server: FakeModel, replies: Mapping[str, str]) -> None:
        super().__init__()
        self.jobs: list[str | None] = []
        self._server, self._replies = server, replies

    def __bool__(self) -> bool:
        return True

    def pop(self, index: Any = -1) -> Script:
        prompt = self._server.requests[-1]["messages"][-1]["content"]
        job = job_of(prompt)
        self.jobs.append(job)
        if job in _JOBS_OF_ANSWERS:
            return chat(_told(prompt))
        return chat(self._replies[str(job)])


def ask(
    home: Path,
    question: str,
    *options: str,
    replies: Mapping[str, str] | None = None,
    **variables: str,
) -> Shown:
    """One question without an encoder; `replies` by job make a model's server."""
    settings = {
        "GRAPHCITE_HOME": str(home),
        "GRAPHCITE_OFFLINE": "1",
        "GRAPHCITE_ENCODER": "none",
        **variables,
    }
    if replies is None:
        return _invoked(settings, question, options)
    with FakeModel() as server:
        scripts = _ByJob(server, replies)
        server.scripts = scripts
        settings |= {"GRAPHCITE_MODEL": "scripted", "GRAPHCITE_MODEL_BASE_URL": server.base_url}
        return _invoked(settings, question, options, scripts.jobs)


def _invoked(
    settings: Mapping[str, str],
    question: str,
    options: tuple[str, ...],
    jobs: list[str | None] | None = None,
) -> Shown:
    words = ["ask", question, "--json", "--no-save", *options]
    done = CliRunner().invoke(main, words, env=dict(settings))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    document = json.loads(done.stdout) if done.exit_code == 0 else {}
    return Shown(done.exit_code, document, done.stderr, tuple(jobs or ()))


def _told(prompt: str) -> str:
    """A sentence for each of the first facts in the prompt, in the words of the graph."""
    chinese = "请" in prompt[:20]
    gap, and_, stop = ("", "，", "。") if chinese else (" ", ", and ", ". ")
    told = []
    for line in prompt.splitlines():
        hops = _HOP.findall(line.partition("] ")[2].replace("; ", "\n"))
        if line.startswith("[E") and hops and len(told) < _TOLD:
            facts = and_.join(gap.join(part.strip() for part in hop) for hop in hops)
            told.append(f"{facts}{gap}{line.partition(' ')[0]}{stop}")
    return "".join(told).strip() or "这是模型自己的看法。" if chinese else "".join(told).strip()

"""A chat model that says what a test tells it to, for everything that takes a kg ChatModel.

    ScriptedModel("first reply", "second reply")                 # in order, whatever is asked
    ScriptedModel(jobs={"ner": '["migraine"]', "hypothesis": ["one", ModelError("gone")]})

A job is recognised by the first line of its prompt. One reply serves every call of its job, a list
serves one call each. A reply that is an exception is raised. A call without a reply left fails the
test. `asked` holds every call; `stop_after` counts the calls after which `stopped()` is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import prompts
from kg.deadline import Deadline
from kg.protocols import Reply

__all__ = ["Asked", "ScriptedModel", "job_of"]

Scripted = str | Reply | Exception
TOKENS = 10  # of every reply that does not say its own


@dataclass(frozen=True, slots=True)
class Asked:
    """One call as the model got it."""

    job: str | None
    prompt: str
    max_tokens: int
    temperature: float
    deadline: Deadline


class ScriptedModel:
    """A kg.protocols.ChatModel without a model."""

    name = "scripted"

    def __init__(
        self,
        *replies: Scripted,
        jobs: Mapping[str, Scripted | Sequence[Scripted]] | None = None,
        stop_after: int | None = None,
    ) -> None:
        self.asked: list[Asked] = []
        self._replies = list(replies)
        self._jobs = {
            job: reply if isinstance(reply, (str, Reply, Exception)) else list(reply)
            for job, reply in (jobs or {}).items()
        }
        self._stop_after = stop_after

    @property
    def asked_for(self) -> list[str | None]:
        """The jobs that were asked for, in order."""
        return [call.job for call in self.asked]

    def stopped(self) -> bool:
        """What to give as `stopped` where a question is to be stopped on its way."""
        return self._stop_after is not None and len(self.asked) >= self._stop_after

    def complete(
        self, prompt: str, *, max_tokens: int, temperature: float, deadline: Deadline
    ) -> Reply:
        """The reply that is next for this prompt."""
        job = job_of(prompt)
        self.asked.append(Asked(job, prompt, max_tokens, temperature, deadline))
        scripted = self._next(job)
        if isinstance(scripted, Exception):
            raise scripted
        return scripted if isinstance(scripted, Reply) else Reply(scripted, TOKENS, "stop")

    def _next(self, job: str | None) -> Scripted:
        scripted = self._jobs.get(job or "", self._replies)
        if not isinstance(scripted, list):
            return scripted
        assert scripted, f"no reply is left for {job or 'this prompt'}: {self.asked[-1].prompt}"
        return scripted.pop(0)


def job_of(prompt: str) -> str | None:
    """The name of the prompt file, in either language, that a prompt was rendered from."""
    return _first_lines().get(prompt.split("\n", 1)[0])


@lru_cache(maxsize=1)
def _first_lines() -> dict[str, str]:
    files = sorted(Path(prompts.__file__).parent.glob("*/*.md"))
    return {file.read_text(encoding="utf-8").split("\n", 1)[0]: file.stem for file in files}

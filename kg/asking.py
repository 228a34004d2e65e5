"""A chat model as one question uses it: counted, timed, parsed strictly, repaired once.

Calls are counted by what they are for, under the name of their prompt; asking again for a reply
that does not parse is a "repair". What the models say is data: a text is bounded and never empty,
a list holds cleaned strings and nothing else. A caller that falls back says so by `fell_back`;
what several calls failed of is said once.
This chooses no prompt, and quotes nothing but a bad reply: variables come quoted (kg.quoting).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

from kg.deadline import Deadline
from kg.errors import DeadlineExceeded, ModelError, Unfinished, Unparsed
from kg.protocols import ChatModel, Reply
from kg.quoting import NOTHING, quoted_text
from kg.text import clean_label, fold, visible, well_formed
from prompts import render

__all__ = ["JOBS", "Asking", "parsed_names"]

# What each prompt's text is, in English and Chinese, as a user is told of it.
JOBS = {
    "answer": ("answer", "回答"),
    "answer-notes": ("answer", "回答"),
    "base": ("answer", "回答"),
    "expansion": ("draft answer", "草稿答案"),
    "hypothesis": ("hypothesis", "假设答案"),
    "judge": ("judgement", "评判"),
    "knowledge-correction": ("correction of a step", "推理步骤的修正"),
    "knowledge-steps": ("list of reasoning steps", "推理步骤列表"),
    "multiple-choice": ("choice", "选项"),
    "ner": ("list of names", "名称列表"),
    "notes": ("note on the evidence", "阅读笔记"),
    "query-expansion": ("list of related terms", "扩展词列表"),
    "rewriting": ("question in full", "完整问题"),
    "short-answer": ("short answer", "简短回答"),
    "summary": ("summary", "摘要"),
}

REPAIR, REPAIR_PROMPT = "repair", "re-ask"
_LONGEST_NAME = 80  # characters
_NAMES_TOKENS = 300
_LONGEST_LIST = 400_000  # characters that are read as JSON at all
_LONGEST_QUOTED = 600  # characters of a bad reply that are shown to the model again
_CHARACTERS_PER_TOKEN = 16  # no language needs more: what is longer came from a broken server
_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)(?:\n[ \t]*```)?", re.DOTALL | re.IGNORECASE)


class Asking:
    """Asks for one question in one language, each call within `seconds`.

    `stopped` tells that nobody waits for the question any more: every call then raises
    DeadlineExceeded instead of ModelError, so that no fallback goes on with it.
    """

    def __init__(
        self,
        model: ChatModel | None,
        language: str,
        seconds: float,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.language = language
        self.calls: dict[str, int] = {}
        self.tokens = 0
        self._instead: dict[str, list[str]] = {}  # what went wrong → what was done
        self._model = model
        self._seconds = seconds
        self._stopped = stopped
        self._spent = 0.0

    @property
    def available(self) -> bool:
        """Whether there is a model to ask."""
        return self._model is not None

    @property
    def seconds_spent(self) -> float:
        """The seconds that calls took, failed ones too; a turn's time budget leaves them out."""
        return self._spent

    @property
    def problems(self) -> list[str]:
        """A line for each cause: what went wrong, and all that was done instead."""
        gap = "" if self.language == "zh" else " "
        return [gap.join((cause, *done)) for cause, done in self._instead.items()]

    def write(self, job: str, *, max_tokens: int, temperature: float, **variables: str) -> str:
        """A text. One that reached `max_tokens` is kept as far as it goes.

        Raises ModelError when the model fails or writes nothing.
        """
        reply = self._ask(
            job, job, render(job, self.language, **variables), max_tokens, temperature
        )
        text = _written(reply)[: _CHARACTERS_PER_TOKEN * max_tokens].rstrip()
        if not text:
            raise Unfinished(what=JOBS[job])
        return text

    def names(
        self,
        job: str,
        *,
        most: int,
        longest: int = _LONGEST_NAME,
        max_tokens: int = _NAMES_TOKENS,
        temperature: float = 0.0,
        **variables: str,
    ) -> tuple[str, ...]:
        """The strings of a JSON list, at most `most`, of at most `longest` characters each.

        A reply that is none is asked for once more. Raises Unparsed when that does not help, and
        ModelError when the model fails.
        """
        task = render(job, self.language, **variables)
        reply = self._ask(job, job, task, max_tokens, temperature)
        found = parsed_names(reply, most=most, longest=longest)
        if found is None:
            said = quoted_text(_written(reply), _LONGEST_QUOTED) or NOTHING[self.language]
            again = render(REPAIR_PROMPT, self.language, task=task, reply=said)
            reply = self._ask(job, REPAIR, again, max_tokens, temperature)
            found = parsed_names(reply, most=most, longest=longest)
        if found is None:
            raise Unparsed(
                f"The model gave no {JOBS[job][0]}, not even when asked again.",
                f"{job}: {reply.text[:500]!r}",
                chinese=f"语言模型没有给出{JOBS[job][1]}，再次询问后仍然如此。",
            )
        return found

    def fell_back(self, error: ModelError, *, english: str, chinese: str) -> None:
        """Keep for the user what went wrong, and what was done instead."""
        done = self._instead.setdefault(error.message(self.language), [])
        instead = chinese if self.language == "zh" else english
        if instead not in done:
            done.append(instead)

    def _ask(
        self, job: str, purpose: str, prompt: str, max_tokens: int, temperature: float
    ) -> Reply:
        """One call for the text of a job, counted as `purpose` whatever comes of it."""
        if self._model is None:
            raise ModelError(
                "This needs a language model: set GRAPHCITE_MODEL.",
                chinese="这需要语言模型：请设置 GRAPHCITE_MODEL。",
            )
        self._check_stopped()
        self.calls[purpose] = self.calls.get(purpose, 0) + 1
        began = time.monotonic()
        try:
            reply = self._model.complete(
                prompt,
                max_tokens=max_tokens,
                temperature=temperature,
                deadline=Deadline.after(self._seconds, self._stopped),
            )
        except ModelError as error:
            self._check_stopped()
            if isinstance(error, Unfinished):
                raise error.of(JOBS[job]) from error
            raise
        finally:
            self._spent += time.monotonic() - began
        self.tokens += reply.tokens
        self._check_stopped()
        return reply

    def _check_stopped(self) -> None:
        if self._stopped():
            raise DeadlineExceeded("The question was stopped.", chinese="这个问题已被停止。")


def parsed_names(reply: Reply, *, most: int, longest: int) -> tuple[str, ...] | None:
    """The strings of a reply that is a JSON list of strings; None where it is anything else.

    Around the list may stand white space and one code fence, nothing else. Of a list that the
    limit cut off, the whole items count. Items are cleaned; empty and over-long ones and those
    that fold to an earlier one are dropped. A list of which nothing remains is none.
    """
    text = _written(reply)
    if fenced := _FENCE.fullmatch(text):
        text = fenced[1].strip()
    if not text.startswith("[") or len(text) > _LONGEST_LIST:
        return None
    if reply.finish == "length" and not text.endswith("]"):
        text = text[: text.rfind('",') + 1] + "]"
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not all(isinstance(item, str) for item in items):
        return None
    kept: dict[str, str] = {}
    for item in items:
        name = clean_label(well_formed(item)) if len(item) <= 2 * longest else ""
        if 0 < len(name) <= longest and (key := fold(name)):
            kept.setdefault(key, name)
        if len(kept) == most:
            break
    return tuple(kept.values()) if kept or not items else None


def _written(reply: Reply) -> str:
    return visible(well_formed(reply.text)).strip()

"""Answers written by a language model from evidence, streamed, with numbers in place of its ids.

The evidence stands in the prompt one item per line and cannot break out of its place. What the
model writes is not trusted: ids become numbers or vanish, and the checker judges every sentence.
With the graph off (the strategy *base*) the model answers from what it knows and cites nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal

from bot.answering.phrases import ABSTENTION
from bot.citations.markers import MarkerStream
from bot.citations.numbers import Numbers
from bot.language_model import LanguageModel, Restart, Use
from kg.errors import ModelError, Unfinished
from kg.model import Retrieval
from kg.quoting import evidence_lines, quoted_question, quoted_text
from prompts import render

__all__ = ["BASE", "Prompted", "stream_answer"]

BASE = "base"
# What a model noted on the evidence before the answer (chain-of-note, chain-of-knowledge).
_NOTES = ("notes", "steps")
_LONGEST_NOTES = 4000  # characters

OnText = Callable[[str], Awaitable[None]]
OnRestart = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Prompted:
    """A model's answer as it was shown, and what it cites."""

    text: str
    status: Literal["complete", "cut off"]
    problems: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()


async def stream_answer(
    retrieval: Retrieval,
    model: LanguageModel,
    numbers: Numbers,
    on_text: OnText,
    on_restart: OnRestart | None = None,
    use: Use | None = None,
) -> Prompted:
    """The model's answer; `on_text` gets it piece by piece.

    `on_restart` tells that what was shown so far were thoughts and is no part of the answer. `use`
    grows while the model is asked, whatever comes of it.
    Raises ModelError when the model fails before it wrote anything; later failures keep the text.
    """
    if not retrieval.evidence and retrieval.strategy != BASE:
        abstention = ABSTENTION[retrieval.language]
        await on_text(abstention)
        return Prompted(abstention, "complete")
    prompt, ids = _prompt(retrieval)
    draft = _Draft(ids, numbers)
    problems: tuple[str, ...] = ()
    try:
        async with aclosing(model.stream([{"role": "user", "content": prompt}], use=use)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Restart):
                    draft.restart()
                    if on_restart:
                        await on_restart()
                elif shown := draft.feed(piece):
                    await on_text(shown)
    except ModelError as error:
        if not draft.text.strip():
            raise
        problems = (error.message(retrieval.language),)
    finally:
        draft.keep_numbers()  # also when the answer is stopped: its markers were shown
    if rest := draft.finish():
        await on_text(rest)
    status: Literal["complete", "cut off"] = "cut off" if problems else "complete"
    text = draft.text.strip()
    if not text:  # nothing but ids that there are not
        raise Unfinished
    return Prompted(text, status, problems, draft.cited)


def _prompt(retrieval: Retrieval) -> tuple[str, Mapping[str, str]]:
    """What the model is asked, and opaque id → evidence key: none where the graph is off.

    Reading notes or reasoning steps stand beside the evidence, as what nobody has checked.
    """
    language, question = retrieval.language, quoted_question(retrieval.question)
    if retrieval.strategy == BASE:
        return render("base", language, question=question), {}
    evidence, ids = evidence_lines(retrieval.evidence, language)
    given = {
        "evidence": evidence,
        "question": question,
        "abstention": ABSTENTION[language],
    }
    written = (retrieval.notes.get(job, "").strip() for job in _NOTES)
    if notes := next(filter(None, written), ""):
        quoted = quoted_text(notes, _LONGEST_NOTES)
        return render("answer-notes", language, notes=quoted, **given), ids
    return render("answer", language, **given), ids


class _Draft:
    """The text so far. Numbers are kept when the answer ends: thoughts take none."""

    def __init__(self, ids: Mapping[str, str], numbers: Numbers) -> None:
        self._ids = ids
        self._numbers = numbers
        self.restart()

    def restart(self) -> None:
        self.text = ""
        self._markers = MarkerStream(self._ids, Numbers(self._numbers.known))

    def feed(self, piece: str) -> str:
        shown = self._markers.feed(piece)
        if not self.text:
            shown = shown.lstrip()
        self.text += shown
        return shown

    def finish(self) -> str:
        rest = self._markers.finish().rstrip()
        self.text += rest
        self.keep_numbers()
        return rest

    def keep_numbers(self) -> None:
        for key in self.cited:
            self._numbers.number(key)

    @property
    def cited(self) -> tuple[str, ...]:
        return self._markers.cited

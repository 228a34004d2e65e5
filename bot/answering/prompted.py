"""Answers written by a language model from evidence, streamed, with numbers in place of its ids.

The evidence stands in the prompt one item per line and cannot break out of its place. What the
model writes is not trusted: ids become numbers or vanish, and the checker judges every sentence.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal

from bot.answering.facts import is_description
from bot.answering.phrases import ABSTENTION
from bot.citations.ids import opaque_ids
from bot.citations.markers import MarkerStream
from bot.citations.numbers import Numbers
from bot.language_model import LanguageModel, Restart, Use
from kg.errors import ModelError
from kg.model import Evidence, Hop, Retrieval
from kg.text import clean_label
from prompts import render

__all__ = ["Prompted", "evidence_block", "stream_answer"]

OnText = Callable[[str], Awaitable[None]]
OnRestart = Callable[[], Awaitable[None]]

_LONGEST_TEXT = 500
_LONGEST_QUESTION = 4000
_OPEN, _CLOSE = "[【［〔", "]】］〕"
_BRACKETS = str.maketrans({**dict.fromkeys(_OPEN, "("), **dict.fromkeys(_CLOSE, ")")})
_ANGLES = str.maketrans({"<": "‹", ">": "›", "＜": "‹", "＞": "›", "`": "'"})
_ID_IN_BRACKETS = re.compile(r"[(（]\s*((?:[Ee]\d+[\s,;，；、-]*)+)[)）]")
_OUR_TAGS = re.compile(r"<(\s*/?\s*(?:evidence|question)\b[^>]*|\|[^>]*\|)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prompted:
    """A model's answer as it was shown, what it cites, and what it took."""

    text: str
    status: Literal["complete", "cut off"]
    problems: tuple[str, ...] = ()
    tokens: int = 0
    calls: Mapping[str, int] = field(default_factory=dict)
    cited: tuple[str, ...] = ()


def evidence_block(evidence: Iterable[Evidence]) -> tuple[str, dict[str, str]]:
    """The evidence as it stands in the prompt, definitions first, and id → evidence key."""
    ordered = sorted(evidence, key=lambda item: not is_description(item))
    ids = opaque_ids(ordered)
    items = {item.key: item for item in reversed(ordered)}
    lines = [f"[{name}] {_told(items[key])}" for name, key in ids.items()]
    return "\n".join(lines), ids


async def stream_answer(
    retrieval: Retrieval,
    model: LanguageModel,
    numbers: Numbers,
    on_text: OnText,
    on_restart: OnRestart | None = None,
) -> Prompted:
    """The model's answer; `on_text` gets it piece by piece.

    `on_restart` tells that what was shown so far were thoughts and is no part of the answer.
    Raises ModelError when the model fails before it wrote anything; later failures keep the text.
    """
    if not retrieval.evidence:
        abstention = ABSTENTION[retrieval.language]
        await on_text(abstention)
        return Prompted(abstention, "complete")
    block, ids = evidence_block(retrieval.evidence)
    prompt = render(
        "answer",
        retrieval.language,
        evidence=block,
        question=_question(retrieval.question),
        abstention=ABSTENTION[retrieval.language],
    )
    draft = _Draft(ids, numbers)
    use = Use()
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
    return Prompted(text, status, problems, use.tokens, {"answer": use.calls}, draft.cited)


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


def _told(item: Evidence) -> str:
    if is_description(item) and item.hops:
        triple = item.hops[0].triple
        text = triple.object.label if triple.object.iri is None else triple.subject.description
        return f"{_harmless(triple.subject.label)}: {_harmless(text or item.text)}"
    if not item.hops:
        return _harmless(item.text)
    return "; ".join(_hop(hop) for hop in item.hops)


def _hop(hop: Hop) -> str:
    triple = hop.triple
    ends = (triple.subject.label, triple.relation.label, triple.object.label)
    statement = " — ".join(_harmless(end) for end in ends)
    notes = [f"{_harmless(name)}: {_harmless(value)}" for name, value in triple.qualifiers]
    if triple.relation.aspect == "absence":
        notes.insert(0, "looked for and not found")
    notes.append("source: " + ", ".join(_harmless(source.title) for source in triple.sources))
    return f"{statement} ({'; '.join(notes)})"


def _harmless(text: str) -> str:
    """Graph text on one line that cannot close its place, look like an id or open a tag."""
    line = clean_label(text).translate(_ANGLES).translate(_BRACKETS)
    line = _ID_IN_BRACKETS.sub(r"\1", line)
    return line if len(line) <= _LONGEST_TEXT else line[:_LONGEST_TEXT].rstrip() + " …"


def _question(text: str) -> str:
    """The user's question; only what looks like our own delimiters is changed."""
    return _OUR_TAGS.sub(r"‹\1›", text.strip())[:_LONGEST_QUESTION]

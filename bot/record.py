"""One answer as it is stored: the values that history, page and export share.

A record is written once, when the answer is finished, and never altered; its JSON document
(bot.documents) is what `graphcite ask --json` prints. Nothing here computes: conversation.py fills
it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kg.model import Evidence, Retrieval

__all__ = [
    "AnswerRecord",
    "Check",
    "CitedEvidence",
    "ModelUse",
    "Safety",
    "Sentence",
    "Status",
    "Verdict",
]

Verdict = Literal["supported", "partly", "unsupported", "uncited"]
Status = Literal["complete", "cut off", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    """What the checker says of one citation in one sentence; `reason` unless supported."""

    number: int
    verdict: Verdict
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the answer (without its markers), what it cites, and the verdict."""

    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """An evidence item with its number in the conversation; None where it was not cited."""

    evidence: Evidence
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Safety:
    """Emergency advice that stands above the answer, and what kind of emergency it is for."""

    advice: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class ModelUse:
    """Which chat model answered (None: the composer), calls by purpose, tokens in all."""

    name: str | None = None
    calls: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """Everything about one answer. `answer` holds claims only; notices and remarks stand apart."""

    conversation: str | None
    question: str
    standalone_question: str
    mode: str
    retrieval: Retrieval
    answer: str
    created: str
    sentences: tuple[Sentence, ...] = ()
    evidence: tuple[CitedEvidence, ...] = ()
    citation_recall: float | None = None
    citation_precision: float | None = None
    safety: Safety = field(default_factory=Safety)
    notices: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    status: Status = "complete"
    timings: Mapping[str, float] = field(default_factory=dict)
    model: ModelUse = field(default_factory=ModelUse)

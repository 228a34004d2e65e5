"""A turn as it was asked, what it has so far, and the record that this makes at any moment."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.citations.checker import check, recall_and_precision
from bot.citations.numbers import Numbers
from bot.citations.sentences import find_markers
from bot.language_model import Use
from bot.notices import notices_for
from bot.record import AnswerRecord, CitedEvidence, ModelUse, Safety, Status
from kg.model import Evidence, GraphIdentity, Retrieval
from kg.protocols import KnowledgeGraph
from kg.strategies.names import AUTO
from kg.text import clean_label

__all__ = ["Progress", "Turn", "nothing_yet", "record_of"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One question as it was asked. `conversation` None keeps nothing; ids are Chainlit's."""

    question: str
    conversation: str | None = None
    mode: str = "medical"
    language: str | None = None
    strategy: str | None = None
    user: str = "local"
    message_id: str = ""
    answer_id: str = ""
    run_id: str | None = None
    sources: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Progress:
    """What a turn has so far, so that stopping it at any moment leaves a true record.

    `asked` is all that a chat model was asked before the answer, `answering` for the answer;
    `writer` the model whose text stands as the answer, None where it is the program's own; `found`
    tells that the search for evidence came to its end; `graph` is the graph as it was when that
    began, for all that the turn reads.
    """

    turn: Turn
    language: str
    safety: Safety
    retrieval: Retrieval
    numbers: Numbers
    text: str = ""
    status: Status = "complete"
    remarks: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    rewriting: ModelUse = field(default_factory=ModelUse)
    asked: Use = field(default_factory=Use)
    answering: Use = field(default_factory=Use)
    writer: str | None = None
    found: bool = False
    graph: KnowledgeGraph | None = None

    @property
    def cited(self) -> list[Evidence]:
        """The evidence that the text so far cites."""
        known = self.numbers.known
        numbers = {number for _, _, number in find_markers(self.text)}
        return [item for item in self.retrieval.evidence if known.get(item.key) in numbers]


def _model_use(progress: Progress) -> ModelUse:
    """All that was asked of the chat model, from rewriting the question to the answer.

    What was asked beside the one call for each purpose is a repair: with options that the server
    accepts, or with room for thoughts. Of a search that broke off, the purposes are not known.
    """
    asked, answering = progress.asked, progress.answering
    calls = Counter(progress.rewriting.calls) + Counter(progress.retrieval.calls)
    more = asked.calls - calls.total()
    if more > 0:
        calls["repair" if progress.found else "search"] += more
    if answering.calls:
        calls["answer"] += 1
    if answering.calls > 1:
        calls["repair"] += answering.calls - 1
    return ModelUse(progress.writer, dict(calls), asked.tokens + answering.tokens)


def nothing_yet(turn: Turn, language: str) -> Retrieval:
    """The retrieval of a turn that has not got that far."""
    graph = GraphIdentity(turn.mode, "", ())
    return Retrieval(
        question=clean_label(turn.question),
        language=language,
        aspects=(),
        strategy=turn.strategy or AUTO,
        parameters={},
        why=None,
        mentions=(),
        entities=(),
        evidence=(),
        graph=graph,
        complete=False,
    )


def record_of(progress: Progress) -> AnswerRecord:
    """Check the text and put everything together."""
    began = time.perf_counter()
    retrieval = progress.retrieval
    known = progress.numbers.known
    by_number: dict[int, Evidence] = {
        known[item.key]: item for item in retrieval.evidence if item.key in known
    }
    sentences = check(progress.text, by_number, cut_off=progress.status != "complete")
    cited = {number for sentence in sentences for number in sentence.citations}
    recall, precision = recall_and_precision(sentences)
    evidence = tuple(
        CitedEvidence(item, known[item.key] if known.get(item.key) in cited else None)
        for item in retrieval.evidence
    )
    timings = {**progress.timings, "check": round((time.perf_counter() - began) * 1000, 2)}
    return AnswerRecord(
        conversation=progress.turn.conversation,
        question=progress.turn.question,
        standalone_question=retrieval.question,
        mode=progress.turn.mode,
        retrieval=retrieval,
        answer=progress.text,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        sentences=sentences,
        evidence=evidence,
        citation_recall=recall,
        citation_precision=precision,
        safety=progress.safety,
        notices=notices_for(progress.turn.mode, retrieval, written=progress.writer is not None),
        remarks=progress.remarks,
        cautions=progress.cautions,
        problems=tuple(progress.problems),
        status=progress.status,
        timings=timings,
        model=_model_use(progress),
    )

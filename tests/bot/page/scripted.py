"""A scripted bot.conversation.take_turn: no graph, no model, but real history and records."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.conversation import Listener, Turn
from bot.record import AnswerRecord, Check, Safety, Sentence
from bot.runtime import Runtime
from kg.errors import BadInput
from kg.text import language_of
from tests.bot.history.samples import numbers_of, path_evidence, record, triple_evidence

__all__ = ["ADVICE", "CAUTIONS", "take_turn"]

ADVICE = "If this is happening now, call your local emergency number."
CAUTIONS = (
    "The starter graph lists dbo:aspirin as contraindicated in children under 16 [1].",
    "It lists *aspirin* as contraindicated with ulcers & <b>bleeding</b>.",
)


go_on = asyncio.Event()
"""Ends a pause. A test that pauses puts an event of its own loop here."""


def script(turn: Turn) -> AnswerRecord:
    """The record of an answer; words of the question choose its kind."""
    question = turn.question
    cited = (
        triple_evidence(
            "Sumatriptan", references=("PMID:12345678", "x:y"), qualifiers=(("line", "first"),)
        ),
        path_evidence(2),
        triple_evidence("umls:C0001 <b>bold</b> \u200b![x](http://evil.test/x.png)", rank=3),
    )
    unused = tuple(triple_evidence(f"Medicine {n}", rank=3 + n) for n in range(1, 6))
    answer = (
        "The graph lists **sumatriptan** as a treatment of migraine [1].\n\n"
        "- It is contraindicated with angina pectoris [1][2].\n"
        "- See dbo:birthPlace and ~3 mg … ~4 mg [3]. Costs $5 to $10.\n"
    )
    sentences = (
        Sentence("Sumatriptan treats migraine.", (1,), "supported", (Check(1, "supported"),)),
        Sentence(
            "It is contraindicated with angina pectoris.",
            (1, 2),
            "partly",
            (
                Check(1, "unsupported", "Angina pectoris is not in this fact."),
                Check(2, "supported"),
            ),
        ),
    )
    if "nothing" in question:
        cited, unused, answer, sentences = (), (), "", ()
    return record(
        question,
        conversation=turn.conversation,
        cited=cited,
        unused=unused,
        answer=answer,
        sentences=sentences,
        language=language_of(question),
        safety=Safety(ADVICE, "emergency") if "emergency" in question else Safety(),
        notices=("Not medical advice.",),
        cautions=CAUTIONS if "caution" in question else (),
        remarks=("The graph holds nothing about this.",) if "nothing" in question else (),
        problems=("The encoder could not be loaded.",) if "problem" in question else (),
    )


async def take_turn(
    runtime: Runtime,
    turn: Turn,
    listener: Listener,
) -> AnswerRecord:
    """Answers as the question says: emergency, caution, nothing, problem, slow, pause, refused …"""
    history = runtime.history
    answer = script(turn)
    if answer.safety.advice:
        await listener.on_advice(answer.safety.advice)
    if "refused" in turn.question:
        raise BadInput(
            "This was <b>refused</b>: ask dbo:something else.", chinese="这个问题不予回答。"
        )
    stored = None
    if turn.conversation:
        stored = await history.call(
            history.start_turn, turn.conversation, turn.question, turn.message_id, user=turn.user
        )

    async def store(finished: AnswerRecord) -> None:
        if stored is not None:
            await history.call(
                history.store_answer,
                stored,
                finished,
                numbers_of(finished),
                message_id=turn.answer_id,
                run_id=turn.run_id,
            )

    shown = ""
    try:
        for stage in ("mentions", "linking", "retrieval", "ranking", "answer"):
            await listener.on_stage(stage)
        if "broken" in turn.question:
            raise RuntimeError("secret detail http://key@host")
        for start in range(0, len(answer.answer), 9):
            if "slow" in turn.question and start > 60:
                await asyncio.Event().wait()  # until it is stopped
            if "pause" in turn.question and 60 < start < 70:
                await go_on.wait()
            shown += answer.answer[start : start + 9]
            await listener.on_text(answer.answer[start : start + 9])
        await listener.on_stage("check")
    except asyncio.CancelledError:
        await asyncio.shield(store(replace(answer, answer=shown, status="stopped")))
        raise
    await store(answer)
    return answer

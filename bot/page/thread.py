"""Stored conversations → what Chainlit shows: steps and elements, made from records alone.

The live page sends the same dictionaries (bot.page.live), so an answer looks the same while it
is given, after a reload, and when `graphcite ask` made it. Ids are derived, never random.
"""

from __future__ import annotations

import uuid
from typing import Any

from chainlit.element import ElementDict
from chainlit.step import StepDict
from chainlit.types import ThreadDict

from bot.history.stored import ConversationSummary, StoredAnswer, StoredConversation, StoredTurn
from bot.page.evidence import evidence_props, item_props
from bot.page.hygiene import as_text
from bot.page.texts import message_text, step_name, step_text
from bot.page.words import words_for
from bot.record import AnswerRecord

__all__ = [
    "ASSISTANT",
    "answer_elements",
    "element_of",
    "run_of",
    "step_of",
    "thread_dict",
    "thread_summary",
]

ASSISTANT = "Graphcite"
_IDS = uuid.UUID("6f1d9c1e-6f0e-5b3c-9d0f-0b8a6f2f7a11")


def thread_summary(summary: ConversationSummary) -> ThreadDict:
    """A line of the sidebar, which sorts by createdAt: the last activity stands there."""
    return ThreadDict(
        id=summary.id,
        createdAt=summary.updated,
        name=summary.name,
        userId=summary.user,
        userIdentifier=summary.user,
        tags=None,
        metadata={"mode": summary.mode, **summary.metadata},
        steps=[],
        elements=[],
    )


def thread_dict(conversation: StoredConversation) -> ThreadDict:
    """A conversation in full; parents come before their children, as the page requires."""
    thread = thread_summary(conversation.summary)
    for turn in conversation.turns:
        thread["steps"] += _turn_steps(conversation, turn)
        for answer in turn.answers:
            thread["elements"] = [
                *(thread["elements"] or []),
                *answer_elements(answer.record, conversation.id, answer.message_id),
            ]
    return thread


def step_of(
    conversation: str,
    run_id: str,
    created: str,
    *,
    name: str,
    text: str = "",
    running: bool = False,
) -> StepDict:
    """The step that tells how an answer was found; one per run."""
    return StepDict(
        **_step(conversation, created, running=running),
        id=_id(run_id, "step"),
        parentId=run_id,
        name=name,
        type="tool",
        output=text,
        showInput=False,
        metadata={"avatarName": ASSISTANT, "icon": "route"},
    )


def run_of(
    conversation: str, run_id: str, question_id: str, created: str, *, running: bool = False
) -> StepDict:
    """The run of a question, which holds its step and its answer."""
    return StepDict(
        **_step(conversation, created, running=running),
        id=run_id,
        parentId=question_id,
        name="on_message",  # how the page knows a run
        type="run",
        output="",
        metadata={},
    )


def _step(conversation: str, created: str, *, running: bool) -> StepDict:
    """What every step of ours has."""
    return StepDict(
        threadId=conversation,
        input="",
        streaming=False,
        isError=False,
        waitForAnswer=False,
        createdAt=created,
        start=created,
        end=None if running else created,
    )


def answer_elements(record: AnswerRecord, conversation: str, message_id: str) -> list[ElementDict]:
    """The Evidence view of an answer, and for each citation the element that makes it clickable.

    A citation's element has display "page": its text becomes a link and no panel opens by itself.
    public/graphcite.js catches the click; without it, the item's own page opens.
    """
    props = evidence_props(record)
    if not (props["cited"] or props["unused"] or props["notes"]):
        return []
    elements = [_element(conversation, message_id, "Evidence", "Evidence", "inline", props)]
    for item in props["cited"]:
        marker = f"[{item['number']}]"
        elements.append(_element(conversation, message_id, marker, marker, "page", {}))
    return elements


def element_of(conversation: StoredConversation, element_id: str) -> ElementDict | None:
    """One element by its id: a citation's with the item itself, for a page of its own."""
    for answer in (answer for turn in conversation.turns for answer in turn.answers):
        language = answer.record.retrieval.language
        for element in answer_elements(answer.record, conversation.id, answer.message_id):
            if element["id"] != element_id:
                continue
            for item in answer.record.evidence:
                if element["name"] == f"[{item.number}]":
                    props = evidence_props(answer.record)
                    props |= {"cited": [item_props(item, language)], "unused": [], "checks": []}
                    # The page renders a custom element by its name.
                    return ElementDict(**{**element, "name": "Evidence", "props": props})
            return element
    return None


def _turn_steps(conversation: StoredConversation, turn: StoredTurn) -> list[StepDict]:
    question = _message(conversation.id, turn.message_id, turn.question, turn.created, None)
    question |= {"type": "user_message", "name": conversation.summary.user}
    steps = [question]
    if not turn.answers:
        language = conversation.summary.language or "en"
        run_id = _id(turn.id, "run")
        text = as_text(words_for(language)["unanswered"])
        answer = _message(conversation.id, _id(turn.id, "answer"), text, turn.created, run_id)
        return [*steps, run_of(conversation.id, run_id, turn.message_id, turn.created), answer]
    for stored in turn.answers:
        steps += _answer_steps(conversation.id, turn.message_id, stored)
    return steps


def _answer_steps(conversation: str, question_id: str, stored: StoredAnswer) -> list[StepDict]:
    record, created = stored.record, stored.created
    run = run_of(conversation, stored.run_id, question_id, created)
    if stored.feedback is not None:
        run["feedback"] = {
            "forId": stored.run_id,
            "id": stored.feedback.id,
            "value": 1 if stored.feedback.value else 0,
            "comment": stored.feedback.comment,
        }
    text = step_text(record)
    step = step_of(conversation, stored.run_id, created, name=step_name(record), text=text)
    answer = _message(conversation, stored.message_id, message_text(record), created, stored.run_id)
    answer["isError"] = record.status == "failed"
    return [run, step, answer]


def _message(
    conversation: str, message_id: str, text: str, created: str, parent: str | None
) -> StepDict:
    return StepDict(
        id=message_id,
        threadId=conversation,
        parentId=parent,
        name=ASSISTANT,
        type="assistant_message",
        output=text,
        streaming=False,
        isError=False,
        waitForAnswer=False,
        createdAt=created,
        start=created,
        end=created,
        metadata={},
    )


def _element(
    conversation: str, message_id: str, key: str, name: str, display: Any, props: dict[str, Any]
) -> ElementDict:
    return ElementDict(
        id=_id(message_id, key),
        threadId=conversation,
        forId=message_id,
        type="custom",
        name=name,
        display=display,
        props=props,
        mime="application/json",
    )


def _id(owner: str, part: str) -> str:
    return str(uuid.uuid5(_IDS, f"{owner}/{part}"))

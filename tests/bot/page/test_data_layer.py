"""What Chainlit gets from the history, and what it cannot do to it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.history.conversations import History
from kg.errors import NotFound
from tests.bot.history.samples import numbers_of, path_evidence, record, triple_evidence


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(tmp_path / "history.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def layer(history: History) -> Any:
    from bot.history.data_layer import HistoryDataLayer

    return HistoryDataLayer(history, "medical")


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def asked_on_the_command_line(history: History, question: str = "Migraine?") -> str:
    conversation = history.create_conversation("local", question, "medical")
    answer = record(
        question,
        conversation=conversation,
        cited=(triple_evidence("Sumatriptan"), path_evidence(2)),
        unused=(triple_evidence("Ibuprofen", rank=3),),
    )
    turn = history.start_turn(conversation, question, str(uuid.uuid4()))
    history.store_answer(
        turn, answer, numbers_of(answer), message_id=str(uuid.uuid4()), run_id=None
    )
    return conversation


def test_a_conversation_of_the_command_line_opens(history: History, layer: Any) -> None:
    conversation = asked_on_the_command_line(history)
    thread = run(layer.get_thread(conversation))
    question, ran, step, answer = thread["steps"]
    assert [s["type"] for s in thread["steps"]] == [
        "user_message",
        "run",
        "tool",
        "assistant_message",
    ]
    assert (ran["name"], ran["parentId"]) == ("on_message", question["id"])
    assert {step["parentId"], answer["parentId"]} == {ran["id"]}
    assert (thread["userId"], thread["userIdentifier"]) == ("local", "local")
    evidence, *citations = thread["elements"]
    assert [item["number"] for item in evidence["props"]["cited"]] == [1, 2]
    assert [item["number"] for item in evidence["props"]["unused"]] == [None]
    assert [(e["name"], e["display"]) for e in citations] == [("[1]", "page"), ("[2]", "page")]
    assert run(layer.get_thread(conversation)) == thread


def test_a_citation_has_a_page_of_its_own(history: History, layer: Any) -> None:
    conversation = asked_on_the_command_line(history)
    citation = run(layer.get_thread(conversation))["elements"][2]
    element = run(layer.get_element(conversation, citation["id"]))
    assert element["name"] == "Evidence"
    assert [item["number"] for item in element["props"]["cited"]] == [2]
    assert element["props"]["unused"] == []
    assert run(layer.get_element(conversation, "unknown")) is None
    assert run(layer.get_element("unknown", citation["id"])) is None


def test_what_a_browser_sends_alters_nothing(history: History, layer: Any) -> None:
    conversation = asked_on_the_command_line(history)
    before = run(layer.get_thread(conversation))
    step = {**before["steps"][3], "output": "forged"}

    async def attempts() -> None:
        from chainlit.element import Element

        await layer.create_step(step)
        await layer.update_step(step)
        await layer.delete_step(step["id"])
        forged = Element.__new__(Element)
        forged.id = before["elements"][0]["id"]
        await layer.create_element(forged)
        await layer.delete_element(forged.id, conversation)
        await layer.set_step_favorite(step, True)

    run(attempts())
    assert run(layer.get_thread(conversation)) == before


def test_the_sidebar_lists_by_last_activity(history: History, layer: Any) -> None:
    from chainlit.types import Pagination, ThreadFilter

    first = asked_on_the_command_line(history, "First")
    second = asked_on_the_command_line(history, "偏头痛怎么治疗？")
    history.start_turn(first, "more", str(uuid.uuid4()))

    def listed(**options: Any) -> Any:
        filters = ThreadFilter(userId="local", search=options.pop("search", None))
        return run(layer.list_threads(Pagination(**{"first": 35, **options}), filters))

    everything = listed()
    assert [thread["id"] for thread in everything.data] == [first, second]
    assert [thread["steps"] for thread in everything.data] == [[], []]
    assert not everything.pageInfo.hasNextPage
    page = listed(first=1)
    assert page.pageInfo.hasNextPage
    rest = listed(first=1, cursor=page.pageInfo.endCursor)
    assert [thread["id"] for thread in rest.data] == [second]
    assert [thread["id"] for thread in listed(search="头痛").data] == [second]
    assert run(layer.list_threads(Pagination(first=5), ThreadFilter(userId="eve"))).data == []


def test_only_a_first_message_makes_a_conversation(history: History, layer: Any) -> None:
    thread = str(uuid.uuid4())
    run(layer.update_thread(thread, metadata={"chat_settings": {"top": 5}}))
    run(layer.update_thread(thread, name="renamed"))
    assert history.owner(thread) is None
    run(layer.update_thread(thread, name="Hello " * 50, user_id="local", tags=["x"]))
    stored = history.conversation(thread, "local")
    assert stored is not None
    assert len(stored.name) <= 80
    run(layer.update_thread(thread, name="again", user_id="local"))
    assert history.list("local").conversations[0].name == stored.name
    run(layer.update_thread(thread, name="renamed"))
    assert history.list("local").conversations[0].name == "renamed"


def test_only_small_settings_are_kept(history: History, layer: Any) -> None:
    conversation = asked_on_the_command_line(history)
    metadata = {"is_shared": True, "env": {"KEY": "secret"}, "chat_settings": {"top": 5}}
    run(layer.update_thread(conversation, metadata=metadata))
    assert run(layer.get_thread(conversation))["metadata"] == {
        "mode": "medical",
        "chat_settings": {"top": 5},
    }
    run(layer.update_thread(conversation, metadata={"chat_settings": {"top": "x" * 5000}}))
    run(layer.update_thread(conversation, metadata={"chat_settings": "no"}))
    kept = run(layer.get_thread(conversation))["metadata"]
    assert kept["chat_settings"] == {"top": 5}


def test_deleting_leaves_nothing(history: History, layer: Any) -> None:
    conversation = asked_on_the_command_line(history)
    assert run(layer.get_thread_author(conversation)) == "local"
    run(layer.delete_thread(conversation))
    assert run(layer.get_thread(conversation)) is None
    assert run(layer.get_thread_author(conversation)) == ""


def test_feedback_without_a_user_is_refused(history: History, layer: Any) -> None:
    from chainlit.types import Feedback

    with pytest.raises(NotFound):
        run(layer.upsert_feedback(Feedback(forId="x", value=1)))
    assert run(layer.delete_feedback("x")) is False


def test_users(layer: Any) -> None:
    from chainlit.user import User

    assert run(layer.get_user("local")) is None
    user = run(layer.create_user(User(identifier="local", display_name="Me")))
    assert (user.id, user.identifier, user.display_name) == ("local", "local", "Me")
    assert run(layer.create_user(User(identifier="local"))).display_name == "Me"

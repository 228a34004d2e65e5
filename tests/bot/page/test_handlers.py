"""The handlers over Chainlit's real session and socket functions, with a scripted answer."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
import uuid
from collections.abc import Coroutine
from typing import Any

import pytest

from bot.history.conversations import History
from bot.page.hygiene import as_text
from bot.page.words import words_for
from tests.bot.page import scripted
from tests.bot.page.scripted import ADVICE

pytestmark = pytest.mark.usefixtures("app")

STABLE = ("id", "parentId", "name", "type", "output", "isError")


def run(scenario: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(scenario)


async def opened(**options: Any) -> Any:
    from tests.bot.page.browser import Browser

    return await Browser(**options).connect()


def in_order(steps: Any) -> list[dict[str, Any]]:
    return [{key: step.get(key) for key in STABLE} for step in steps]


def test_an_answer_is_shown_live_exactly_as_after_a_reload(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("What are the treatments for migraine?")
        again = await opened(thread=page.thread)
        live = [s for s in page.steps().values() if s["type"] != "run"]
        stored = [s for s in again.steps().values() if s["type"] not in ("run", "user_message")]
        assert in_order(live) == in_order(stored)
        assert page.elements() == again.elements()
        assert [e["name"] for e in page.elements()] == ["Evidence", "[1]", "[2]", "[3]"]
        assert {e["forId"] for e in page.elements()} == {page.answers()[0]["id"]}
        runs = [s["id"] for s in page.steps().values() if s["name"] == "on_message"]
        assert runs == [s["id"] for s in again.steps().values() if s["type"] == "run"]

    run(scenario())


def test_parents_come_before_their_children(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        for question in ("one", "two emergency", "refused", "broken"):
            await page.ask(question)
        again = await opened(thread=page.thread)
        known: set[str | None] = {None}
        for step in again.steps().values():
            assert step["parentId"] in known
            known.add(step["id"])

    run(scenario())


def test_what_is_shown_is_safe_markdown(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("dbo:migraine")
        text = page.answers()[0]["output"]
        assert r"dbo\:birthPlace" in text
        assert r"\~3 mg" in text
        evidence = page.elements()[0]["props"]
        label = evidence["cited"][2]["hops"][0]["object"]["label"]
        assert label == "umls:C0001 <b>bold</b> ![x](http://evil.test/x.png)"
        assert "\u200b" not in json.dumps(page.events, default=str, ensure_ascii=False)

    run(scenario())


def test_emergency_advice_comes_before_everything(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("emergency")
        started = page.seen("stream_start")[0]["output"]
        assert ADVICE.split(",")[0] in started
        assert page.answers()[0]["output"].startswith("::: caution\n")
        refused = await opened()
        await refused.ask("emergency refused")
        assert ADVICE.split(",")[0] in refused.answers()[0]["output"]

    run(scenario())


def test_a_refusal_is_told_in_one_line_letter_by_letter(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("refused")
        (answer,) = page.answers()
        assert answer["isError"]
        assert answer["output"] == r"This was \<b\>refused\</b\>\: ask dbo\:something else."

    run(scenario())


def test_a_refusal_speaks_the_language_of_the_question(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("refused，请回答这个问题")
        assert page.answers()[0]["output"] == "这个问题不予回答。"

    run(scenario())


def test_a_bug_tells_the_user_nothing_and_the_log_everything(
    history: History, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("broken")
        assert "secret" not in json.dumps(page.events, default=str)
        assert page.answers()[0]["output"] == words_for("en")["wrong"]
        assert "secret detail" in caplog.text
        assert page.seen("task_end")
        again = await opened(thread=page.thread)
        assert again.answers()[0]["output"] == as_text(words_for("en")["unanswered"])

    run(scenario())


def test_nothing_found_is_the_message_itself(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("nothing")
        assert page.answers()[0]["output"] == "The graph holds nothing about this."
        (element,) = page.elements()
        notes = [note["text"] for note in element["props"]["notes"]]
        assert notes == ["Not medical advice."]

    run(scenario())


def test_cautions_are_shown_live_and_stored(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("caution")
        text = page.answers()[0]["output"]
        assert text.endswith(":::") and text.count("::: warning\n") == 1
        assert all(as_text(caution) in text for caution in scripted.CAUTIONS)
        again = await opened(thread=page.thread)
        assert again.answers()[0]["output"] == text

    run(scenario())


def test_an_edit_leaves_nothing_of_the_old_branch(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        first = await page.ask("first question")
        await page.ask("second question")
        await page.start_edit(first, "first question, edited")
        again = await opened(thread=page.thread)
        questions = [s["output"] for s in again.steps().values() if s["type"] == "user_message"]
        assert questions == ["first question, edited"]
        assert len([s for s in again.steps().values() if s["type"] == "run"]) == 1
        assert len([s for s in again.steps().values() if s["type"] == "tool"]) == 1
        assert history.list("local").conversations[0].name == "first question, edited"
        # On this, the page reads the names of the sidebar again.
        names = [first["interaction"] for first in page.seen("first_interaction")]
        assert names[0] == "first question" and names[-1] == "first question, edited"

    run(scenario())


@pytest.mark.parametrize("edited", [False, True])
def test_stop_keeps_what_was_shown(history: History, edited: bool) -> None:
    async def scenario() -> None:
        page = await opened()
        if edited:
            message = await page.ask("quick")
            task = page.start_edit(message, "slow")
        else:
            task = page.start("slow")
        answers = 2 if edited else 1
        await page.until(lambda: len(page.seen("stream_start")) == answers)
        await page.until(lambda: "migraine" in page.answers()[-1]["output"])
        began = time.monotonic()
        await page.stop()
        await task
        assert time.monotonic() - began < 1
        answer = page.answers()[-1]
        assert "sumatriptan" in answer["output"]
        assert answer["output"].endswith(f"*{words_for('en')['stopped']}*")
        assert "manually" not in json.dumps(in_order(page.steps().values()))
        again = await opened(thread=page.thread)
        assert in_order(again.answers()) == in_order([answer])
        await again.ask("and on")
        assert len(again.answers()) == 2

    run(scenario())


@pytest.mark.parametrize("stopped", [False, True])
def test_a_reload_while_the_answer_is_written_follows_it(
    history: History, stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        monkeypatch.setattr(scripted, "go_on", asyncio.Event())
        page = await opened()
        task = page.start("slow" if stopped else "brief pause")
        await page.until(lambda: any("migraine" in a["output"] for a in page.answers()))
        await page.leave()
        again = await opened(thread=page.thread)
        (partial,) = again.answers()
        assert partial["output"] == page.answers()[0]["output"]
        tasks = [event for event, _ in again.events if event.startswith("task_")]
        assert tasks[-1] == "task_start"  # the page shows Stop
        tasks_ended = len(again.seen("task_end"))
        if stopped:
            await again.stop()
        scripted.go_on.set()
        await task
        assert len(again.seen("task_end")) > tasks_ended
        assert in_order(again.answers()) == in_order(page.answers())
        assert again.elements() == page.elements()
        afterwards = await opened(thread=page.thread)
        assert in_order(afterwards.answers()) == in_order(again.answers())
        assert len(again.answers()[0]["output"]) > len(partial["output"])

    run(scenario())


def test_the_mode_is_remembered_per_conversation(history: History) -> None:
    def chosen(page: Any) -> str:
        (mode,) = page.seen("set_modes")[-1]
        return str(next(option["id"] for option in mode["options"] if option["default"]))

    async def scenario() -> None:
        page = await opened()
        assert chosen(page) == "medical"
        await page.ask("one", mode="open")
        other = await opened()
        await other.ask("two", mode="nonsense")
        assert chosen(await opened(thread=page.thread)) == "open"
        assert chosen(await opened(thread=other.thread)) == "medical"

    run(scenario())


def test_the_page_speaks_the_browsers_language(history: History) -> None:
    async def scenario() -> None:
        page = await opened(language="zh-CN,zh;q=0.9")
        (mode,) = page.seen("set_modes")[-1]
        assert [option["name"] for option in mode["options"]] == ["医学", "开放领域"]
        await page.ask("偏头痛怎么治疗？")
        step = next(s for s in page.steps().values() if s["type"] == "tool")
        assert step["name"].startswith("查找过程 · 1 个名称")

    run(scenario())


def test_a_locked_history_does_not_keep_the_answer_back(
    history: History, runtime: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        page = await opened()
        await history.call(history.add_user, "local")
        monkeypatch.setattr(history._file, "_patience", 0.1)
        other = sqlite3.connect(runtime.settings.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await page.ask("What are the treatments for migraine?")
        other.execute("ROLLBACK")
        other.close()
        assert "sumatriptan" in page.answers()[0]["output"]
        assert "cannot be stored now" in page.seen("toast")[0]["message"]
        assert history.owner(page.thread) is None

    run(scenario())


def test_nobody_can_open_the_conversation_of_another(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        message = await page.ask("my secret question")
        eve = await opened(user="eve", thread=page.thread)
        assert "secret question" not in json.dumps(eve.events, default=str)
        await eve.ask("intrude")
        stored = history.conversation(page.thread, "local")
        assert stored is not None
        assert [turn.question for turn in stored.turns] == ["my secret question"]
        assert eve.answers()[-1]["isError"]
        await eve.leave()
        assert message == stored.turns[0].message_id

    run(scenario())


def test_leaving_a_deleted_conversation_does_not_bring_it_back(history: History) -> None:
    async def scenario() -> None:
        page = await opened()
        await page.ask("one")
        assert history.delete(page.thread, "local")
        await page.leave()
        assert history.owner(page.thread) is None

    run(scenario())


def test_an_empty_page_stores_nothing(history: History) -> None:
    async def scenario() -> None:
        before = len(history.list("local", 200).conversations)
        page = await opened()
        await page.leave()
        assert len(history.list("local", 200).conversations) == before

    run(scenario())


def test_a_message_id_of_another_conversation_is_refused(history: History) -> None:
    async def scenario() -> None:
        import chainlit.socket as chainlit_socket

        page = await opened()
        message = await page.ask("mine")
        eve = await opened(user="eve")
        payload: Any = {"message": {**eve.message("overwrite"), "id": message}}
        await chainlit_socket.process_message(eve.session, payload)
        assert eve.answers()[-1]["isError"]
        stored = history.conversation(page.thread, "local")
        assert stored is not None
        assert stored.turns[0].question == "mine"

    run(scenario())


def test_conversations_at_once_do_not_mix(history: History) -> None:
    async def scenario() -> None:
        pages = [await opened() for _ in range(12)]
        await asyncio.gather(*(page.ask(f"question {uuid.uuid4()}") for page in pages))
        for page in pages:
            again = await opened(thread=page.thread)
            assert len(again.answers()) == 1
            assert in_order(again.answers()) == in_order(page.answers())

    run(scenario())

"""The blocking chat model: called from a strategy's thread, ended with the question or the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest

from bot.chat_model import BlockingModel
from bot.language_model import LanguageModel
from kg.asking import Asking
from kg.deadline import Deadline
from kg.errors import DeadlineExceeded, KgError, ModelError
from kg.protocols import ChatModel, Reply
from tests.fakes import Drop, FakeModel, Hang, Script, chat, delta, events, failure
from tests.llama import LlamaServer, llama_server  # noqa: F401

T = TypeVar("T")
PROMPT = "What treats migraine?"
SOON = 30.0  # seconds after which a test that should have ended has failed


def blocking(base_url: str, act: Callable[[BlockingModel], T], name: str = "fake") -> T:
    """What `act` gives in a thread beside a running loop."""

    async def go() -> T:
        model = LanguageModel(name, base_url=base_url, max_tokens=800, temperature=0.2)
        try:
            blocking_model = BlockingModel(model, asyncio.get_running_loop())
            return await asyncio.wait_for(asyncio.to_thread(act, blocking_model), SOON)
        finally:
            await model.close()

    return asyncio.run(go())


def reply(model: ChatModel, max_tokens: int = 300, deadline: Deadline | None = None) -> Reply:
    until = deadline or Deadline.after(10)
    return model.complete(PROMPT, max_tokens=max_tokens, temperature=0.6, deadline=until)


def replied(*scripts: Script) -> Reply:
    with FakeModel(*scripts) as server:
        return blocking(server.base_url, reply)


def test_a_reply_comes_with_its_tokens_and_its_own_limits() -> None:
    with FakeModel(chat("Tri", "ptans. ", tokens=12)) as server:
        assert blocking(server.base_url, reply) == Reply("Triptans.", 12, "stop")
        request = server.requests[0]
    assert request["messages"] == [{"role": "user", "content": PROMPT}]
    assert (request["max_tokens"], request["temperature"]) == (300, 0.6)


def test_a_reply_that_reached_its_limit_is_no_error() -> None:
    assert replied(chat("Triptans narrow", finish="length")) == Reply(
        "Triptans narrow", 7, "length"
    )


def test_thoughts_are_no_part_of_a_reply() -> None:
    assert replied(chat("<think>hmm</think>Triptans.")).text == "Triptans."
    assert replied(chat("hmm ", "</think>", "Triptans.")).text == "Triptans."


def test_a_model_that_spent_all_on_thoughts_gets_room_for_them_from_then_on() -> None:
    def twice(model: BlockingModel) -> list[Reply]:
        return [reply(model), reply(model)]

    used_up = chat("<think>well", finish="length", tokens=300)
    with FakeModel(used_up, chat("Yes.", tokens=90), chat("No.")) as server:
        first, second = blocking(server.base_url, twice)
        limits = [request["max_tokens"] for request in server.requests]
    assert (first.text, first.tokens, second.text) == ("Yes.", 390, "No.")
    assert limits == [300, 2300, 2300]


def test_a_model_that_only_ever_thinks_has_no_answer() -> None:
    with pytest.raises(ModelError, match="no answer"):
        replied(*[chat("<think>well", finish="length")] * 2)


def test_options_that_a_server_refused_stay_left_out() -> None:
    def twice(model: BlockingModel) -> list[Reply]:
        return [reply(model, 300), reply(model, 40)]

    no = failure(400, {"error": {"message": "use 'max_completion_tokens', not 'max_tokens'"}})
    nor = failure(400, {"error": {"message": "temperature is not supported"}})
    with FakeModel(no, nor, chat("Yes."), chat("No.")) as server:
        first, second = blocking(server.base_url, twice)
        last = server.requests[2:]
    assert (first.text, second.text) == ("Yes.", "No.")
    assert [request["max_completion_tokens"] for request in last] == [300, 40]
    assert not any("temperature" in r or "max_tokens" in r for r in last)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (chat(""), "no answer"),
        (chat("Triptans narrow", finish="content_filter"), "content filter"),
        (events(delta("Triptans narrow"), Drop(), done=False), "cut off"),
        (failure(401, {"error": {"message": "bad key"}}), "GRAPHCITE_MODEL_KEY"),
        (failure(500, "oops"), "status 500"),
    ],
)
def test_what_fails_is_a_model_error(script: Script, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        replied(script)


def test_a_question_that_is_stopped_ends_its_request() -> None:
    hang = Hang()

    async def go(base_url: str) -> tuple[set[asyncio.Task[object]], Reply]:
        model = LanguageModel("fake", base_url=base_url)
        blocking_model = BlockingModel(model, asyncio.get_running_loop())
        until_then = Deadline.after(SOON, hang.reached.is_set)
        before = asyncio.all_tasks()
        acting = asyncio.create_task(asyncio.to_thread(reply, blocking_model, deadline=until_then))
        await asyncio.to_thread(hang.reached.wait, SOON)
        asking = asyncio.all_tasks() - before - {acting}
        with pytest.raises(DeadlineExceeded, match="stopped"):
            await acting
        await asyncio.wait(asking, timeout=SOON)
        try:
            return asking, await asyncio.to_thread(reply, blocking_model)
        finally:
            await model.close()

    with FakeModel(events(delta("Tri"), hang, delta("ptans.", "stop")), chat("Yes.")) as server:
        asking, following = asyncio.run(go(server.base_url))
    assert len(asking) == 1 and all(task.cancelled() for task in asking)
    assert following.text == "Yes."  # the next question works


def test_a_call_ends_when_its_time_is_up() -> None:
    def act(model: BlockingModel) -> None:
        reply(model, deadline=Deadline.after(0.2))

    with FakeModel(events(delta("Tri"), Hang())) as server, pytest.raises(ModelError) as caught:
        blocking(server.base_url, act)
    assert "0.2 seconds" in caught.value.user_message


def test_without_time_nothing_is_asked() -> None:
    def act(model: BlockingModel) -> None:
        with pytest.raises(DeadlineExceeded, match="stopped"):
            reply(model, deadline=Deadline.after(9, lambda: True))
        with pytest.raises(ModelError, match="in time"):
            reply(model, deadline=Deadline.after(0))

    with FakeModel() as server:
        blocking(server.base_url, act)
        assert server.requests == []


def test_a_loop_that_closes_lets_the_thread_go() -> None:
    hang, ended = Hang(), threading.Event()
    errors: list[KgError] = []

    async def go(base_url: str) -> None:
        model = LanguageModel("fake", base_url=base_url)
        blocking_model = BlockingModel(model, asyncio.get_running_loop())

        def act() -> None:
            for _ in range(2):  # while it closes, and when it is closed
                try:
                    reply(blocking_model, deadline=Deadline.after(SOON))
                except KgError as error:
                    errors.append(error)
            ended.set()

        threading.Thread(target=act).start()
        await asyncio.to_thread(hang.reached.wait, SOON)
        # leaving now: asyncio.run cancels the call and closes the loop

    with FakeModel(events(delta("Tri"), hang)) as server:
        asyncio.run(go(server.base_url))
        assert ended.wait(SOON)
    assert [type(error) for error in errors] == [DeadlineExceeded, DeadlineExceeded]


def test_a_loop_that_hangs_does_not_keep_the_thread() -> None:
    free = threading.Event()
    looks = iter([False, False, True])

    async def go() -> str:
        model = LanguageModel("fake", base_url="http://127.0.0.1:9/v1")
        blocking_model = BlockingModel(model, asyncio.get_running_loop())

        def act() -> str:
            try:
                reply(blocking_model, deadline=Deadline.after(SOON, lambda: next(looks, True)))
            except DeadlineExceeded as error:
                return error.user_message
            finally:
                free.set()
            return ""

        acting = asyncio.get_running_loop().run_in_executor(None, act)
        assert free.wait(SOON)  # the loop does nothing else meanwhile
        return await acting

    assert "stopped" in asyncio.run(go())


def test_asking_over_it_repairs_and_counts() -> None:
    def act(model: BlockingModel) -> Asking:
        asking = Asking(model, "en", 10)
        assert asking.names("ner", most=10, question=PROMPT) == ("migraine",)
        return asking

    with FakeModel(chat("Migraine, I think."), chat('```json\n["migraine"]\n```')) as server:
        asking = blocking(server.base_url, act)
        assert server.requests[1]["temperature"] == 0.0
    assert asking.calls == {"ner": 1, "repair": 1} and asking.tokens == 14
    assert asking.seconds_spent > 0


@pytest.mark.integration
def test_a_hypothesis_of_a_real_model_stays_within_its_limit(
    llama_server: LlamaServer,  # noqa: F811
) -> None:
    replies: list[Reply] = []

    class Watched:
        def __init__(self, model: BlockingModel) -> None:
            self.name = model.name
            self._model = model

        def complete(
            self, prompt: str, *, max_tokens: int, temperature: float, deadline: Deadline
        ) -> Reply:
            replies.append(
                self._model.complete(
                    prompt, max_tokens=max_tokens, temperature=temperature, deadline=deadline
                )
            )
            return replies[-1]

    def act(model: BlockingModel) -> tuple[str, int]:
        asking = Asking(Watched(model), "en", 60)
        question = "Why does sumatriptan help against migraine attacks?"
        text = asking.write("hypothesis", max_tokens=40, temperature=0.6, question=question)
        return text, asking.tokens

    text, tokens = blocking(llama_server.base_url, act, llama_server.model)
    assert text == replies[0].text and replies[0].finish == "length"
    assert 40 < tokens < 600 and len(text.split()) <= 40

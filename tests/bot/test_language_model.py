"""The model layer against a scripted server: streams, thoughts, refusals, failures, deadlines."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable

import pytest

from bot.language_model import LanguageModel, Restart, Use
from bot.settings import load_settings
from kg.errors import ModelError
from tests.fakes import Drop, FakeModel, Hang, Script, chat, delta, events, failure, usage

ASK = [{"role": "user", "content": "What treats migraine?"}]
SLOW_DOWN = b'data: {"error":{"code":429,"message":"slow down"}}\n\n'
KEY = "sk-secret-0123456789"


def run(
    server: FakeModel, *, seconds: float = 10, use: Use | None = None, name: str = "fake"
) -> str:
    """The whole answer; what was thought and taken back is left out."""
    return asked(server, lambda model: model.complete(ASK, use=use), seconds, name)


def asked(
    server: FakeModel,
    act: Callable[[LanguageModel], Awaitable[str]],
    seconds: float = 10,
    name: str = "fake",
) -> str:
    async def go() -> str:
        model = LanguageModel(name, base_url=server.base_url, key=KEY, seconds=seconds)
        try:
            return await act(model)
        finally:
            await model.close()

    return asyncio.run(go())


async def pieces(model: LanguageModel, shown: list[str]) -> str:
    async for piece in model.stream(ASK):
        shown.append(piece)
    return "".join(shown)


def refused(*scripts: Script, models: tuple[str, ...] = ("fake",), name: str = "fake") -> str:
    with FakeModel(*scripts, models=models) as server, pytest.raises(ModelError) as caught:
        run(server, name=name)
    assert KEY not in caught.value.user_message + str(caught.value)
    assert "\n" not in caught.value.user_message
    return caught.value.user_message


def test_an_answer_streams_and_is_counted() -> None:
    use = Use()
    with FakeModel(chat("Sumatriptan ", "treats ", "migraine [E1].", tokens=12)) as server:
        assert run(server, use=use) == "Sumatriptan treats migraine [E1]."
    request = server.requests[0]
    assert request["model"] == "fake" and request["messages"] == ASK and request["stream"]
    assert (use.calls, use.tokens, use.finish) == (1, 12, "stop")
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_pieces_come_while_the_server_still_writes() -> None:
    hang = Hang()
    with FakeModel(events(delta("Suma"), hang, delta("triptan.", "stop"))) as server:

        async def act(model: LanguageModel) -> str:
            shown = ""
            async for piece in model.stream(ASK):
                shown += piece
                if shown == "Suma":
                    hang.event.set()
            return shown

        assert asked(server, act) == "Sumatriptan."


def test_a_model_without_a_key_needs_none() -> None:
    async def go(base_url: str) -> str:
        model = LanguageModel("fake", base_url=base_url)
        try:
            return await model.complete(ASK)
        finally:
            await model.close()

    with FakeModel(chat("Yes.")) as server:
        assert asyncio.run(go(server.base_url)) == "Yes."


def test_settings_name_the_model(tmp_path: object) -> None:
    given = {"GRAPHCITE_HOME": str(tmp_path)}
    assert LanguageModel.from_settings(load_settings(given)) is None
    given |= {"GRAPHCITE_MODEL": "m", "GRAPHCITE_MODEL_BASE_URL": "http://u:p@127.0.0.1:9/v1"}
    model = LanguageModel.from_settings(load_settings(given))
    assert model is not None and (model.name, model.address) == ("m", "127.0.0.1:9")


# Awkward but complete streams (FIELD 26)


def test_events_without_choices_comments_and_no_done() -> None:
    script = events(
        *[b": wait\n\n"] * 40, usage(0), delta("Fine."), delta(None, "stop"), usage(3), done=False
    )
    with FakeModel(script) as server:
        assert run(server) == "Fine."


def test_bytes_one_by_one_and_half_characters() -> None:
    whole = b"".join(
        [
            b'data: {"choices":[{"index":0,"delta":{"content":"'
            + "修复偏头痛[E1]".encode()
            + b'"}}]}\n\n',
            b'data: {"choices":[{"index":0,"delta":{"content":"\\ud83d"}}]}\n\n',
            b'data: {"choices":[{"index":0,"delta":{"content":"\\ude00\\ud83d"}}]}\n\n',
            b'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n',
        ]
    )
    with FakeModel(events(*(bytes([byte]) for byte in whole))) as server:
        assert run(server) == "修复偏头痛[E1]😀\ufffdx"


def test_a_refused_option_is_left_out_once_and_remembered() -> None:
    no = failure(400, {"error": {"message": "unknown field: stream_options"}})
    with FakeModel(no, chat("One."), chat("Two.")) as server:

        async def act(model: LanguageModel) -> str:
            return await model.complete(ASK) + await model.complete(ASK)

        assert asked(server, act) == "One.Two."
    assert ["stream_options" in request for request in server.requests] == [True, False, False]


def test_a_renamed_option_is_renamed() -> None:
    no = failure(400, {"error": {"message": "use 'max_completion_tokens', not 'max_tokens'"}})
    with FakeModel(no, chat("One.")) as server:
        assert run(server) == "One."
    assert server.requests[1]["max_completion_tokens"] == 800
    assert "max_tokens" not in server.requests[1]


def test_a_server_that_does_not_stream() -> None:
    message = {"choices": [{"message": {"content": "Whole."}, "finish_reason": "stop"}]}
    body = json.dumps({**message, "usage": {"total_tokens": 5}}).encode()
    use = Use()
    with FakeModel(Script([body], content_type="application/json; charset=utf-8")) as server:
        assert run(server, use=use) == "Whole."
    assert use.tokens == 5


# Thoughts (FIELD 23)


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (["<think>Maybe [E9]</think>\n\nSumatriptan."], "Sumatriptan."),
        (["<th", "ink>Maybe", "</thi", "nk>", "Sumatriptan."], "Sumatriptan."),
        (
            ["Maybe [E9] … </th", "ink>Sumatriptan treats migraine [E1]."],
            "Sumatriptan treats migraine [E1].",
        ),
        (["<thinking>x</thinking>Yes."], "Yes."),
        (['<think>What is "x"', "</think>Yes."], "Yes."),
        (["The tag `<think>` marks thoughts."], "The tag `<think>` marks thoughts."),
        (["p<0.05 and a < b."], "p<0.05 and a < b."),
        (["Yes. <think>hm"], "Yes. <think>hm"),
    ],
)
def test_thoughts_are_taken_out(texts: list[str], answer: str) -> None:
    for parts in (texts, list("".join(texts))):
        with FakeModel(chat(*parts)) as server:
            assert run(server) == answer


def test_thoughts_with_a_closing_tag_only_are_taken_back_and_then_expected() -> None:
    with FakeModel(chat("Maybe", "</think>Yes."), chat("Maybe", "</think>No.")) as server:
        shown: list[str] = []

        async def act(model: LanguageModel) -> str:
            first: list[str] = []
            await pieces(model, first)
            assert [type(piece) for piece in first] == [str, Restart, str]
            return await pieces(model, shown)

        assert asked(server, act) == "No."
    assert shown == ["No."]


@pytest.mark.parametrize(
    "script",
    [
        chat("<think>only thoughts"),
        events(delta(None, reasoning_content="Sumatriptan."), delta(None, "stop")),
        events(delta(None, reasoning="Sumatriptan."), delta(None, "stop")),
        chat(""),
        chat("  \n"),
    ],
)
def test_no_content_is_no_answer(script: Script) -> None:
    assert refused(script) == "The model gave no answer."


# Why an answer ended (FIELD 28)


@pytest.mark.parametrize(
    ("script", "word"),
    [
        (chat(finish="length"), "tokens"),
        (chat(finish="content_filter"), "content filter"),
        (events(delta(None, "tool_calls", tool_calls=[])), "tool"),
        (events(delta(None, refusal="I cannot"), delta(None, "stop")), "refused"),
    ],
)
def test_reasons_for_no_answer(script: Script, word: str) -> None:
    with FakeModel(script) as server, pytest.raises(ModelError) as caught:
        run(server)
    assert "gave no answer" in caught.value.user_message and word in caught.value.user_message
    assert len(server.requests) == 1, "the same request is not tried again"


@pytest.mark.parametrize(
    ("script", "word"),
    [
        (chat("Sumatriptan treats migr", finish="length"), "longest answer"),
        (chat("Sumatriptan", finish="content_filter"), "content filter"),
        (events(delta("Two good"), delta(" chunks "), SLOW_DOWN), "too many requests"),
        (events(delta("Sumatriptan tre"), done=False), "ended it early"),
        (events(delta("Sumatriptan tre"), Drop(), done=False), "cut off"),
    ],
)
def test_text_so_far_is_given_before_an_answer_breaks_off(script: Script, word: str) -> None:
    shown: list[str] = []
    with FakeModel(script) as server, pytest.raises(ModelError) as caught:
        asked(server, lambda model: pieces(model, shown))
    assert word in caught.value.user_message
    assert "".join(shown).startswith(("Sumatriptan", "Two good chunks"))


# Failures told apart (FIELD 25)


def test_a_refused_key() -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
    assert "refused the key: check GRAPHCITE_MODEL_KEY" in refused(failure(401, body))


def test_quota_and_rate_limit() -> None:
    quota = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
    assert "quota is used up" in refused(failure(429, quota))
    assert "too many requests" in refused(
        failure(429, {"error": {"message": "Rate limit reached"}})
    )


def test_an_unknown_model_is_answered_with_those_that_exist() -> None:
    body = {"error": {"message": "The model does not exist", "code": "model_not_found"}}
    message = refused(failure(404, body), models=("qwen", "llama"), name="gpt")
    assert "has no model gpt: set GRAPHCITE_MODEL to one of llama, qwen." in message


def test_a_context_that_is_too_long() -> None:
    body = {
        "error": {"message": "maximum context length is 2048", "code": "context_length_exceeded"}
    }
    assert "too long for the model's context" in refused(failure(400, body))
    llama = {"error": {"code": 400, "message": "the request exceeds the available context size"}}
    assert "too long for the model's context" in refused(failure(400, llama))


def test_a_server_that_fails() -> None:
    assert "failed (status 503)" in refused(failure(503, "<html>down</html>", "text/html"))


@pytest.mark.parametrize(
    "script",
    [
        failure(200, {"error": "Unexpected endpoint"}),
        failure(404, "404 page not found", "text/plain"),
        failure(200, "<html>hello</html>", "text/html"),
    ],
)
def test_a_base_url_without_v1(script: Script) -> None:
    async def go(address: str) -> str:
        model = LanguageModel("fake", base_url=f"http://user:{KEY}@{address}", key=KEY)
        try:
            return await model.complete(ASK)
        finally:
            await model.close()

    with FakeModel(script) as server, pytest.raises(ModelError) as caught:
        asyncio.run(go(server.address))
    assert f"it is probably http://{server.address}/v1" in caught.value.user_message
    assert KEY not in caught.value.user_message + str(caught.value)


def test_no_server_at_all() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]

        async def go() -> str:
            model = LanguageModel("fake", base_url=f"http://127.0.0.1:{port}")
            try:
                return await model.complete(ASK)
            finally:
                await model.close()

        with pytest.raises(ModelError) as caught:
            asyncio.run(go())
    assert f"127.0.0.1:{port} is not reachable" in caught.value.user_message
    assert "/v1" in caught.value.user_message


def test_the_total_time_holds_over_a_stream_that_never_ends() -> None:
    shown: list[str] = []
    hang = Hang()
    with FakeModel(events(delta("Suma"), hang)) as server, pytest.raises(ModelError) as caught:
        asked(server, lambda model: pieces(model, shown), seconds=0.3)
    assert "did not finish within 0.3 seconds" in caught.value.user_message
    assert shown == ["Suma"]


def test_the_total_time_holds_before_the_first_byte() -> None:
    with FakeModel(events(Hang())) as server, pytest.raises(ModelError) as caught:
        run(server, seconds=0.3)
    assert "did not finish within" in caught.value.user_message


def test_stopping_closes_the_connection() -> None:
    hang = Hang()
    with FakeModel(events(delta("Suma"), hang)) as server:

        async def act(model: LanguageModel) -> str:
            async def read() -> None:
                async for _ in model.stream(ASK):
                    pass

            task = asyncio.create_task(read())
            await asyncio.to_thread(hang.reached.wait, 10)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return "stopped"

        assert asked(server, act) == "stopped"


def test_one_model_serves_several_loops() -> None:
    with FakeModel(chat("One."), chat("Two.")) as server:
        model = LanguageModel("fake", base_url=server.base_url)

        async def go() -> str:
            try:
                return await model.complete(ASK)
            finally:
                await model.close()

        assert [asyncio.run(go()), asyncio.run(go())] == ["One.", "Two."]

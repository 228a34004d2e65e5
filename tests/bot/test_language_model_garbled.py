"""What is no answer is one line for the user, and what never ends is ended: by length or time."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.language_model import LanguageModel, Use
from kg.errors import ModelError
from tests.fakes import Drop, Endless, FakeModel, Script, delta, event, events, usage

ASK = [{"role": "user", "content": "What treats migraine?"}]
CHUNK = {"id": "1", "object": "chat.completion.chunk"}


def choices(value: object) -> bytes:
    return event({**CHUNK, "choices": value})


def raw(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"


async def _read(base_url: str, seconds: float, max_tokens: int) -> tuple[str, ModelError | None]:
    model = LanguageModel("fake", base_url=base_url, seconds=seconds, max_tokens=max_tokens)
    text = ""
    try:
        async for piece in model.stream(ASK):
            text += piece
    except ModelError as error:
        return text, error
    finally:
        await model.close()
    return text, None


def read(
    script: Script, *, seconds: float = 10, max_tokens: int = 800
) -> tuple[str, ModelError | None]:
    """The text that was given and the failure behind it."""
    with FakeModel(script) as server:
        return asyncio.run(_read(server.base_url, seconds, max_tokens))


GARBLED = {
    "words instead of JSON": raw(b"error: CUDA out of memory"),
    "JSON that is cut": raw(b'{"choices": [{"delta": {"con'),
    "bytes that are not UTF-8": raw(b'{"choices": [{"delta": {"content": "\xff\xfe"}}]}'),
    "JSON that is nested without end": raw(b"[" * 100_000),
    "no object": raw(b"42"),
    "choices that are text": choices("abc"),
    "choices that hold text": choices(["x"]),
    "a delta that is text": choices([{"delta": "x"}]),
    "content that is a number": choices([{"delta": {"content": 42}}]),
    "an event without an end": b"data: " + b"x" * 4_100_000,
}


@pytest.mark.parametrize("part", GARBLED.values(), ids=GARBLED)
def test_garbled_events_are_one_line(part: bytes) -> None:
    text, error = read(events(part))
    assert text == "" and error is not None
    assert "sent something that is no answer" in error.user_message
    assert "发来的不是回答" in error.message("zh")
    assert len(error.user_message.splitlines()) == 1 and len(str(error)) <= 500


@pytest.mark.parametrize("part", GARBLED.values(), ids=GARBLED)
def test_text_before_a_garbled_event_is_given(part: bytes) -> None:
    text, error = read(events(delta("Sumatriptan treats migraine [E1]. It"), part))
    assert text == "Sumatriptan treats migraine [E1]. It"
    assert error is not None and "no answer" in error.user_message


ERROR_EVENTS = {
    "an object": b'event: error\ndata: {"message": "overloaded"}\n\n',
    "words": b"event: error\ndata: overloaded\n\n",
    "inside data": b'data: {"error": {"message": "overloaded"}}\n\n',
    "as text": b'data: {"error": "overloaded"}\n\n',
    "with other line ends": b'event: error\r\ndata: {"message": "overloaded"}\r\n\r\n',
    "old line ends": b'event: error\rdata: {"message": "overloaded"}\r\r',
}


@pytest.mark.parametrize("part", ERROR_EVENTS.values(), ids=ERROR_EVENTS)
@pytest.mark.parametrize("before", ["", "Sumatriptan treats migraine [E1]."])
def test_an_error_event_is_an_error(part: bytes, before: str) -> None:
    pieces = [bytes([byte]) for byte in part]
    text, error = read(events(delta(before), *pieces))
    assert text == before and error is not None
    assert "too many requests" in error.user_message


@pytest.mark.parametrize(
    "counts", [[1], "7", {"total_tokens": "seven"}, {"total_tokens": None}, {"total_tokens": -1}]
)
def test_an_answer_is_not_given_up_for_a_count_that_cannot_be_read(counts: object) -> None:
    use = Use()

    async def go(base_url: str) -> str:
        model = LanguageModel("fake", base_url=base_url)
        try:
            return await model.complete(ASK, use=use)
        finally:
            await model.close()

    script = events(delta("Fine.", "stop"), event({**CHUNK, "choices": [], "usage": counts}))
    with FakeModel(script) as server:
        assert asyncio.run(go(server.base_url)) == "Fine."
    assert use.tokens == 0


def test_empty_events_are_passed_over() -> None:
    quiet = [b"data:\n\n", b"event: ping\n\n", choices([]), choices(None), usage(0)]
    empty = [choices([{"delta": None}]), choices([{"delta": {}}]), choices([{}])]
    assert read(events(*quiet, *empty, delta("Fine.", "stop"))) == ("Fine.", None)


@pytest.mark.parametrize(
    "body",
    [b"[]", b"{}", b'{"choices": ["x"]}', b'{"choices": [{"message": 5}]}', b"\xff", b'"no"'],
)
def test_a_whole_answer_is_checked_as_well(body: bytes) -> None:
    text, error = read(Script([body], content_type="application/json"))
    assert text == "" and error is not None and len(error.user_message.splitlines()) == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:99999/v1",
        "http://[::1/v1",
        "not a url",
        "127.0.0.1:8080/v1",
        "ftp://127.0.0.1/v1",
        "http:///v1",
        "http://127.0.0.1:port/v1",
    ],
)
def test_a_base_url_that_is_none(address: str) -> None:
    text, error = asyncio.run(_read(address, 10, 800))
    assert text == "" and error is not None
    assert "GRAPHCITE_MODEL_BASE_URL is no web address" in error.user_message
    assert "不是网址" in error.message("zh")


@pytest.mark.parametrize("key", ["钥匙", "sk-…"])
def test_a_key_that_cannot_be_sent_is_told(key: str) -> None:
    async def go() -> None:
        model = LanguageModel("fake", base_url="http://127.0.0.1:9/v1", key=key)
        try:
            await model.complete(ASK)
        finally:
            await model.close()

    with pytest.raises(ModelError) as caught:
        asyncio.run(go())
    assert "could not be asked: check" in caught.value.user_message


def test_an_answer_that_never_ends_is_cut_at_its_longest_length() -> None:
    text, error = read(events(Endless(delta("Sumatriptan treats migraine. "))))
    assert len(text) == 20_000 and error is not None
    assert "cut off" in error.user_message and "GRAPHCITE_MODEL_MAX_TOKENS" in error.user_message
    assert len(read(events(Endless(delta("x" * 4096))), max_tokens=2000)[0]) == 32_000


def test_a_whole_answer_is_cut_as_well() -> None:
    choice = {"message": {"content": "word " * 10_000}, "finish_reason": "stop"}
    body = json.dumps({"choices": [choice]}).encode()
    text, error = read(Script([body], content_type="application/json"))
    assert len(text) == 20_000 and error is not None and "cut off" in error.user_message
    text, error = read(Script([b" ", Endless(b" " * 4096)], content_type="application/json"))
    assert text == "" and error is not None and "no answer" in error.user_message


@pytest.mark.parametrize("part", [delta("x"), delta(None), b": wait\n\n", usage(1)])
def test_the_total_time_ends_a_stream_that_never_pauses(part: bytes) -> None:
    _, error = read(events(Endless(part)), seconds=0.3, max_tokens=10**9)
    assert error is not None and "did not finish within 0.3 seconds" in error.user_message


def test_thoughts_that_never_end_are_no_answer() -> None:
    text, error = read(events(delta("<think>"), Endless(delta("hm, "))))
    assert text == "" and error is not None and "thoughts used up" in error.user_message


def test_a_connection_that_breaks_is_a_cut() -> None:
    text, error = read(events(delta("Two "), delta("words"), Drop(), done=False))
    assert text == "Two words" and error is not None and "cut off" in error.user_message

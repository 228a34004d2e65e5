"""What a model server's failure is told as: one line in each language that says what to do."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from bot import model_errors
from bot.model_errors import Server, cut_off, described, no_answer
from kg.errors import KgError, Unfinished

SERVER = Server("http://host.example:8080", "{mine}")
SETTING = "GRAPHCITE_MODEL_MAX_TOKENS"


def assert_both(error: KgError, *same: str) -> None:
    """The message is one line of English, and one of Chinese, that both hold `same`."""
    english, chinese = error.message("en"), error.message("zh")
    assert english.isascii() or "…" in english
    assert re.search("[一-鿿].*[。？]", chinese) and not re.search(r"\b(the|is|it)\b", chinese)
    for message in (english, chinese):
        assert len(message.splitlines()) == 1 and all(word in message for word in same)


@pytest.mark.parametrize(
    ("status", "text", "same"),
    [
        (401, "", ["GRAPHCITE_MODEL_KEY"]),
        (429, "quota", ["host.example:8080"]),
        (429, "", ["host.example:8080"]),
        (413, "", []),
        (404, "", ["GRAPHCITE_MODEL_BASE_URL", "http://host.example:8080/v1"]),
        (302, "", ["GRAPHCITE_MODEL_BASE_URL"]),
        (503, "", ["503"]),
        (200, "what", ["http://host.example:8080/v1"]),
        (418, "", ["418"]),
    ],
)
def test_a_refusal_is_told_in_both_languages(status: int, text: str, same: list[str]) -> None:
    assert_both(described(SERVER, status, text), *same)


def test_the_models_that_there_are_are_named_in_both_languages() -> None:
    models = tuple(f"m{number}" for number in range(12))
    assert_both(described(SERVER, 404, "", models), "{mine}", "m0, m1", "m9, …", "GRAPHCITE_MODEL")


def test_a_connection_that_fails_is_told_in_both_languages() -> None:
    assert_both(model_errors.unreachable(SERVER, "x"), "GRAPHCITE_MODEL_BASE_URL", "/v1")
    assert_both(model_errors.timed_out(SERVER, 2.5), "2.5", "GRAPHCITE_MODEL_SECONDS")
    assert_both(model_errors.not_asked(SERVER, "x"), "GRAPHCITE_MODEL_KEY")
    assert_both(model_errors.garbled(SERVER, "x"), "host.example:8080")


@pytest.mark.parametrize("tell", [no_answer, cut_off])
@pytest.mark.parametrize("finish", ["length", "content_filter", "tool_calls", "refusal", "x", None])
def test_the_setting_of_the_longest_answer_is_advised_where_it_holds(
    tell: Callable[..., Unfinished], finish: str | None
) -> None:
    as_set, own = tell(finish, as_set=True), tell(finish, as_set=False)
    for language in ("en", "zh"):
        assert (SETTING in as_set.message(language)) == (finish == "length")
        assert SETTING not in own.message(language)
    assert_both(as_set)
    assert_both(own)

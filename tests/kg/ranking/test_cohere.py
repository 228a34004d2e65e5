"""Cohere's rerank API, played by a server on this machine."""

from __future__ import annotations

import json
import logging
import re
import threading
from typing import Any

import numpy as np
import pytest

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.ranking.rerankers import RerankerOptions, load_reranker
from tests.fakes import Drop, Endless, FakeModel, Hang, Script, failure
from tests.kg.ranking.fakes import long, past

KEY = "secret-key"


class FakeCohere(FakeModel):
    """A server that also keeps the paths it was asked for."""

    def __init__(self, *scripts: Script) -> None:
        super().__init__(*scripts)
        self.paths: list[str] = []

    def _play(self, handler: Any, script: Script) -> None:
        self.paths.append(handler.path)
        super()._play(handler, script)

    def options(self, **changes: Any) -> RerankerOptions:
        url = f"http://{self.address}/"
        return RerankerOptions(cohere_key=KEY, cohere_url=url, **changes)


def result(index: object, score: object) -> dict[str, object]:
    return {"index": index, "relevance_score": score}


def answer(*scores: float) -> Script:
    """The scores of texts 0, 1, …, best first as the API sorts them."""
    results = sorted(
        (result(i, s) for i, s in enumerate(scores)),
        key=lambda r: -float(str(r["relevance_score"])),
    )
    return failure(200, {"id": "1", "results": results, "meta": {}})


def of(query: str, *texts: str) -> list[tuple[str, str]]:
    return [(query, text) for text in texts]


def asked(*scripts: Script, deadline: Deadline | None = None) -> ModelError:
    with FakeCohere(*scripts) as server:
        reranker = load_reranker("cohere", server.options())
        with pytest.raises(ModelError) as caught:
            reranker.scores(of("query", "one", "two"), deadline or long())
    for line in (caught.value.user_message, caught.value.message("zh")):
        assert "\n" not in line and KEY not in line
    assert KEY not in str(caught.value)
    return caught.value


def test_scores_come_back_in_the_order_of_the_pairs() -> None:
    with FakeCohere(answer(0.1, 0.9, 0.5)) as server:
        reranker = load_reranker("cohere", server.options(cohere_model="rerank-x", offline=True))
        scores = reranker.scores(of("怎么治疗", "one", "two", "three"), long())
        assert np.allclose(scores, [0.1, 0.9, 0.5])
        assert server.paths == ["/v2/rerank"]
        assert server.requests == [
            {
                "model": "rerank-x",
                "query": "怎么治疗",
                "documents": ["one", "two", "three"],
                "top_n": 3,
            }
        ]
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        assert reranker.name == "cohere rerank-x"
        assert reranker.languages == {"en", "zh"}


def test_texts_of_one_query_go_out_together() -> None:
    with FakeCohere(answer(0.1, 0.3), answer(0.2)) as server:
        reranker = load_reranker("cohere", server.options())
        scores = reranker.scores([("a", "one"), ("b", "two"), ("a", "three")], long())
        assert np.allclose(scores, [0.1, 0.2, 0.3])
        assert [r["documents"] for r in server.requests] == [["one", "three"], ["two"]]


def test_many_texts_go_out_in_parts() -> None:
    with FakeCohere(answer(*[0.1] * 200), answer(*[0.2] * 30)) as server:
        reranker = load_reranker("cohere", server.options())
        scores = reranker.scores(of("query", *map(str, range(230))), long())
        assert np.allclose(scores, [0.1] * 200 + [0.2] * 30)


def test_scores_outside_0_to_1_are_brought_inside() -> None:
    with FakeCohere(answer(-0.5, 1.5)) as server:
        reranker = load_reranker("cohere", server.options())
        assert reranker.scores(of("query", "one", "two"), long()).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "refused the key: check GRAPHCITE_COHERE_KEY"),
        (403, "refused the key: check GRAPHCITE_COHERE_KEY"),
        (404, "has no such model or address: check GRAPHCITE_COHERE_BASE_URL"),
        (429, "takes no more requests now: ask again in a minute"),
        (400, "refused the request (status 400): check GRAPHCITE_COHERE_BASE_URL"),
        (498, "refused the request (status 498): check GRAPHCITE_COHERE_BASE_URL"),
        (500, "has a problem of its own (status 500): ask again in a while"),
        (503, "has a problem of its own (status 503): ask again in a while"),
    ],
)
def test_a_refusal_is_one_line(status: int, message: str) -> None:
    error = asked(failure(status, {"message": f"your key {KEY}\n<b>page</b>"}))
    assert message in error.user_message
    assert error.user_message.endswith("; the order stays without it.")


def test_a_redirect_is_not_followed() -> None:
    with FakeCohere(answer(0.5, 0.5)) as elsewhere:
        script = failure(307, {})
        script.headers["location"] = f"http://{elsewhere.address}/v2/rerank"
        assert "sends elsewhere" in asked(script).user_message
        assert elsewhere.requests == []


@pytest.mark.parametrize(
    "body",
    [
        "<html>welcome</html>",
        "[" * 100_000,
        "[]",
        {},
        {"results": None},
        {"results": [3]},
        {"results": [{"index": 0}]},
        {"results": [result(0, "0.5"), result(1, 0.5)]},
        {"results": [result(0, None), result(1, 0.5)]},
        {"results": [result(0, True), result(1, 0.5)]},
        {"results": [result("0", 0.5), result(1, 0.5)]},
        {"results": [result(0, 0.5)]},
        {"results": [result(0, 0.5), result(0, 0.5)]},
        {"results": [result(0, 0.5), result(2, 0.5)]},
        {"results": [result(-1, 0.5), result(0, 0.5)]},
        {"results": [result(0, 0.5), result(1, 0.5), result(1, 0.6)]},
        '{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}',
        '{"results": [{"index": 0, "relevance_score": 1e999}, {"index": 1, "relevance_score": 1}]}',
        {"results": [result(0, 10**400), result(1, 0.5)]},
    ],
)
def test_an_answer_that_is_none_is_refused(body: object) -> None:
    error = asked(failure(200, body))
    assert "gave an answer that cannot be used" in error.user_message
    assert not re.search("scores|texts", error.message("zh"))


def test_an_answer_without_end_is_cut_off() -> None:
    endless = Script([Endless(b'{"results": "' + b"x" * 1_000_000)], 200, "application/json")
    assert "cannot be used (too long)" in asked(endless).user_message


def test_an_answer_that_breaks_off_is_an_error() -> None:
    cut = Script([b'{"results": [', Drop()], 200, "application/json")
    assert "cannot be reached" in asked(cut).user_message


def test_a_server_that_is_not_there() -> None:
    with FakeCohere() as server:
        options = server.options()
    with pytest.raises(ModelError) as caught:
        load_reranker("cohere", options).scores(of("query", "one"), long())
    assert "cannot be reached" in caught.value.user_message


def test_a_server_that_does_not_answer_ends_with_the_deadline() -> None:
    error = asked(Script([Hang()], 200, "application/json"), deadline=Deadline.after(0.3))
    assert "did not answer in time" in error.user_message


def test_its_own_limit_holds_where_the_deadline_is_far() -> None:
    with FakeCohere(Script([Hang()], 200, "application/json")) as server:
        reranker = load_reranker("cohere", server.options(seconds=0.2))
        with pytest.raises(ModelError, match="did not answer in time"):
            reranker.scores(of("query", "one"), long())


def test_stopping_ends_a_request_under_way() -> None:
    hang, stop = Hang(), threading.Event()
    with FakeCohere(Script([hang], 200, "application/json")) as server:
        reranker = load_reranker("cohere", server.options())
        threading.Thread(target=lambda: hang.reached.wait(10) and stop.set()).start()
        with pytest.raises(ModelError, match="did not answer in time"):
            reranker.scores(of("query", "one"), Deadline.after(600, stop.is_set))


def test_nothing_is_sent_when_the_time_is_over() -> None:
    with FakeCohere() as server:
        scores = load_reranker("cohere", server.options()).scores(of("query", "one"), past())
        assert scores.shape == (0,) and server.requests == []


def test_what_was_scored_before_a_refusal_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    pairs = [("a", "one"), ("b", "two"), ("a", "three"), ("c", "four")]
    with FakeCohere(answer(0.1, 0.3), failure(429, {}), failure(429, {})) as server:
        reranker = load_reranker("cohere", server.options())
        with caplog.at_level(logging.INFO):
            assert np.allclose(reranker.scores(pairs, long()), [0.1])
        assert "takes no more requests now" in caplog.text
        with pytest.raises(ModelError, match="takes no more requests now"):
            reranker.scores(pairs[1:], long())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (RerankerOptions(cohere_key=KEY, offline=True), "is not asked while offline"),
        (RerankerOptions(), "at api.cohere.com needs a key: set GRAPHCITE_COHERE_KEY"),
        (RerankerOptions(cohere_key=KEY, cohere_url="api.cohere.com"), "is no web address"),
        (RerankerOptions(cohere_key=KEY, cohere_url="http://a:b/"), "is no web address"),
        (RerankerOptions(cohere_key=KEY, cohere_url="http://h.example"), "unencrypted"),
        (RerankerOptions(cohere_key="密钥"), "characters that no key has"),
        (RerankerOptions(cohere_key="a\r\nb: c"), "characters that no key has"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(
    options: RerankerOptions, message: str
) -> None:
    with pytest.raises(ModelError) as caught:
        load_reranker("cohere", options)
    assert message in caught.value.user_message
    assert json.dumps(KEY) not in caught.value.user_message


def test_a_server_on_this_machine_needs_no_key_and_works_offline() -> None:
    with FakeCohere(answer(0.4)) as server:
        options = RerankerOptions(cohere_url=f"http://{server.address}", offline=True)
        assert load_reranker("cohere", options).scores(of("q", "one"), long()).shape == (1,)
        assert "authorization" not in server.headers[0]

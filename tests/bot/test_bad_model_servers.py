"""Whole turns over a server that fails, whatever the strategy asks it for on the way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.conversation import Turn, take_turn
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.sources import import_source
from tests.bot.test_conversation import GRAPH
from tests.fakes import Drop, FakeModel, Hang, Script, chat, delta, event, events, failure

KEY = "sk-very-secret"
QUESTION = "Why does sumatriptan treat migraine?"
ANSWER = chat("Sumatriptan treats migraine [E1].")
# Each strategy that asks a model on the way, with its settings and the purposes of its calls.
STRATEGIES: dict[str, tuple[dict[str, str], list[str]]] = {
    "kg-rank": ({"ner": "prompt", "ranking": "expansion"}, ["ner", "expansion"]),
    "hykge": ({}, ["hypothesis"]),
    "query-expansion": ({}, ["query-expansion"]),
    "chain-of-note": ({}, ["notes"]),
    "chain-of-knowledge": ({}, ["knowledge-steps"]),
}
FAILURES: dict[str, tuple[Callable[[], Script], str]] = {
    "401": (lambda: failure(401, {"error": {"message": f"bad key {KEY}"}}), "key"),
    "429": (lambda: failure(429, {"error": {"message": "slow down"}}), "requests"),
    "500": (lambda: failure(500, "<html>Traceback (most recent…", "text/html"), "500"),
    "error inside 200": (
        lambda: events(event({"error": {"code": 429, "message": "slow down"}})),
        "requests",
    ),
    "dies in mid-stream": (lambda: Script([delta('["migr'), Drop()]), "cut off"),
    "dies at once": (lambda: Script([Drop()]), "cut off"),
    "no events": (lambda: Script([b"data: {not json\n\n" * 3]), "no answer"),
    "ends early": (lambda: events(delta("", "stop")), "The model gave no"),
}
# What is a text's own fault is said of each text, what is the server's once.
OF_EACH_TEXT = ("dies in mid-stream", "dies at once", "ends early")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "graph.ttl").write_text(GRAPH, encoding="utf-8")
    import_source(folder / "graphs" / "medical", "rdf", [folder / "graph.ttl"], "small")
    return folder


def ask(home: Path, strategy: str, *scripts: Script, seconds: int = 30) -> AnswerRecord:
    """One turn that is not stored; afterwards no script may be left."""
    settings = load_settings(
        {
            "GRAPHCITE_HOME": str(home),
            "GRAPHCITE_ENCODER": "none",
            "GRAPHCITE_MODEL": "fake",
            "GRAPHCITE_MODEL_KEY": KEY,
            "GRAPHCITE_MODEL_SECONDS": str(seconds),
        }
    )

    async def run(server: FakeModel) -> AnswerRecord:
        runtime = Runtime(replace(settings, model_base_url=server.base_url))
        try:
            turn = Turn(QUESTION, strategy=strategy, parameters=STRATEGIES[strategy][0])
            return await take_turn(runtime, turn)
        finally:
            await runtime.aclose()

    with FakeModel(*scripts) as server:
        record = asyncio.run(run(server))
        assert not server.scripts
    return record


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_fails_on_the_way_is_said_and_the_answer_stands(
    home: Path, strategy: str, name: str
) -> None:
    failing, words = FAILURES[name]
    purposes = STRATEGIES[strategy][1]
    record = ask(home, strategy, *(failing() for _ in purposes), ANSWER)
    assert "treats migraine" in record.answer and record.status == "complete"
    calls = dict(record.model.calls)
    assert calls == dict.fromkeys((*purposes, "answer"), 1)
    lines = record.retrieval.problems
    assert len(lines) == (len(purposes) if name in OF_EACH_TEXT else 1) and not record.problems
    for line in lines:
        assert words in line and "\n" not in line and "Traceback" not in line and KEY not in line
    assert "sumatriptan treats migraine" in [one.evidence.text for one in record.evidence]
    assert record.retrieval.complete  # the graph was searched to its end


@pytest.mark.parametrize("strategy", ["hykge", "query-expansion"])
def test_what_never_ends_is_left_when_its_time_is_over(home: Path, strategy: str) -> None:
    import openai  # noqa: F401 - importing it takes longer than this test gives a call

    slow = events(delta('["mi'), delta("gr"), Hang(), delta('aine"]'))
    record = ask(home, strategy, slow, ANSWER, seconds=1)
    assert record.model.calls[STRATEGIES[strategy][1][0]] == 1
    (line,) = record.retrieval.problems
    assert "did not finish within 1 seconds" in line and record.retrieval.complete
    assert "sumatriptan treats migraine" in [one.evidence.text for one in record.evidence]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_without_any_answer_of_the_server_the_composer_writes(home: Path, strategy: str) -> None:
    failing = FAILURES["500"][0]
    record = ask(home, strategy, *(failing() for _ in STRATEGIES[strategy][1]), failing())
    assert "umatriptan" in record.answer and record.citation_recall == 1.0
    assert record.problems == ("The answer was composed without the model.",)
    assert record.model.name is None and record.model.calls["answer"] == 1


def test_a_list_that_comes_byte_by_byte_is_one(home: Path) -> None:
    reply = json.dumps(["migraine", "偏头痛"], ensure_ascii=False)
    whole = events(*map(delta, reply), delta(None, "stop"))
    raw = b"".join(part for part in whole.parts if isinstance(part, bytes))
    script = Script([raw[i : i + 1] for i in range(len(raw))])
    record = ask(home, "query-expansion", script, ANSWER)
    assert record.retrieval.notes == {"query expansion": "migraine\n偏头痛"}
    assert not record.retrieval.problems

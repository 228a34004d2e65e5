"""A whole turn with a scripted chat model: what is kept, told and marked when it misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.phrases import ABSTENTION
from bot.conversation import Listener, Turn, take_turn
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.sources import import_source
from tests.bot.test_conversation import GRAPH
from tests.fakes import Drop, FakeModel, Script, chat, delta, event, events, failure

KEY = "sk-very-secret"
QUESTION = "What are the treatments for migraine?"


class Shown(Listener):
    """What a reader sees."""

    text = ""

    async def on_text(self, piece: str) -> None:
        self.text += piece

    async def on_restart(self) -> None:
        self.text = ""


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graphs")
    (folder / "graph.ttl").write_text(GRAPH, encoding="utf-8")
    import_source(folder / "graphs" / "medical", "rdf", [folder / "graph.ttl"], "small")
    return folder / "graphs"


class Desk:
    """Asks one question of a runtime whose model plays scripts."""

    def __init__(self, home: Path, graphs: Path) -> None:
        home.mkdir()
        (home / "graphs").symlink_to(graphs)
        self.settings = load_settings(
            {
                "GRAPHCITE_HOME": str(home),
                "GRAPHCITE_ENCODER": "none",
                "GRAPHCITE_MODEL": "fake",
                "GRAPHCITE_MODEL_KEY": KEY,
            }
        )
        self.shown = Shown()

    def ask(self, *scripts: Script, question: str = QUESTION) -> AnswerRecord:
        with FakeModel(*scripts) as server:
            settings = replace(self.settings, model_base_url=server.base_url)
            record = asyncio.run(self._ask(Runtime(settings), question))
            self.prompts: list[str] = [
                request["messages"][0]["content"] for request in server.requests
            ]
        return record

    async def _ask(self, runtime: Runtime, question: str) -> AnswerRecord:
        try:
            id_ = runtime.history.create_conversation("local", question, "medical")
            turn = Turn(question, id_, message_id=f"m-{id_}", answer_id=f"a-{id_}")
            record = await take_turn(runtime, turn, self.shown)
            stored = runtime.history.last_answer(id_)
            assert stored is not None and stored.answer == record.answer
            return record
        finally:
            await runtime.aclose()


@pytest.fixture
def desk(tmp_path: Path, graphs: Path) -> Iterator[Desk]:
    yield Desk(tmp_path / "home", graphs)
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), f"{file} holds the key"


def id_of(desk: Desk, words: str) -> str:
    """The opaque id that the prompt gave to a line of evidence."""
    line = next(line for line in desk.prompts[-1].splitlines() if words in line)
    return line[line.index("[") + 1 : line.index("]")]


def test_ids_become_numbers_and_every_sentence_is_checked(desk: Desk) -> None:
    desk.ask(chat("x [E1]."))
    treats = id_of(desk, "sumatriptan — treats — migraine")
    desk.shown.text = ""
    record = desk.ask(
        chat("Sumatriptan treats ", "migraine [", treats, "].", " It cures [E77] everything.")
    )
    assert record.answer == "Sumatriptan treats migraine [1]. It cures everything."
    assert desk.shown.text == record.answer
    first, second = record.sentences
    assert (first.citations, first.verdict) == ((1,), "supported")
    assert (second.citations, second.verdict) == ((), "uncited")
    assert record.citation_recall == 0.5 and record.citation_precision == 1.0
    assert record.model.name == "fake" and record.model.calls == {"answer": 1}
    assert record.model.tokens == 7
    cited = [item for item in record.evidence if item.number]
    assert [item.evidence.text for item in cited] == ["sumatriptan treats migraine"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (failure(401, {"error": {"message": f"bad key {KEY}"}}), "key"),
        (failure(404, {"error": {"message": "not here"}}), "this address"),
        (failure(500, "<html>boom</html>", "text/html"), "500"),
        (events(delta("", "stop")), "no answer"),
        (events(event({"error": {"code": 429, "message": "slow down"}})), "requests"),
    ],
)
def test_a_model_that_says_nothing_gives_way_to_the_composer(
    desk: Desk, script: Script, words: str
) -> None:
    record = desk.ask(script, script, script)
    assert "umatriptan" in record.answer and record.citation_recall == 1.0
    assert record.status == "complete" and record.model.name is None
    assert record.model.calls == {"answer": 1}  # it was asked, whatever came of it
    (problem,) = record.problems
    assert problem.endswith(" The answer was composed without the model.")
    assert words in problem and "\n" not in problem and KEY not in problem


def test_an_answer_that_breaks_off_is_kept_and_marked(desk: Desk) -> None:
    desk.ask(chat("x [E1]."))
    treats = id_of(desk, "sumatriptan — treats — migraine")
    record = desk.ask(
        Script([delta(f"Sumatriptan treats migraine [{treats}]. It also tre"), Drop()])
    )
    assert record.status == "cut off"
    assert record.answer.endswith("It also tre")
    assert [sentence.verdict for sentence in record.sentences] == ["supported"]  # no half one
    assert len(record.problems) == 1


def test_thoughts_are_taken_back(desk: Desk) -> None:
    record = desk.ask(chat("Maybe [E9] this.", "</think>", "Nothing certain."))
    assert record.answer == desk.shown.text == "Nothing certain."
    assert record.sentences[0].verdict == "uncited"


def test_without_evidence_no_model_is_asked(desk: Desk) -> None:
    record = desk.ask(question="How do I file taxes?")
    assert desk.prompts == []
    assert record.answer == ABSTENTION["en"] and record.model.name is None


def test_a_model_that_abstains_abstains(desk: Desk) -> None:
    record = desk.ask(chat(ABSTENTION["en"]))
    assert record.answer == ABSTENTION["en"] and record.sentences == ()
    assert record.model.name == "fake"


def test_offline_nothing_is_sent_to_another_host(desk: Desk) -> None:
    desk.settings = replace(desk.settings, offline=True)
    record = asyncio.run(
        desk._ask(Runtime(replace(desk.settings, model_base_url="http://192.0.2.1/v1")), QUESTION)
    )
    assert "umatriptan" in record.answer and record.citation_recall == 1.0
    assert record.model.name is None and "GRAPHCITE_OFFLINE" in record.problems[0]
    local = desk.ask(chat("Nothing certain."))  # a server on this machine may be asked
    assert local.model.name == "fake"

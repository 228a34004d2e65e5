"""Who writes the answer: with the graph off, without evidence, and with a model that fails."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.phrases import ABSTENTION, WITHHELD
from bot.conversation import Turn, take_turn
from bot.notices import notices_for
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.errors import ModelError
from kg.sources import import_source
from kg.strategies.names import STRATEGIES
from tests.bot.test_conversation import GRAPH
from tests.command import graphcite
from tests.fakes import Drop, FakeModel, Hang, Script, chat, delta, failure

ASKED = {
    "en": "Why does sumatriptan treat migraine?",
    "zh": "舒马普坦为什么能治疗偏头痛？",
}
WORDS = chat("Triptans narrow vessels [E1][2]. They calm nerves.")
DEAD = failure(500, "oops", "text/html")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "graph.ttl").write_text(GRAPH, encoding="utf-8")
    import_source(folder / "graphs" / "medical", "rdf", [folder / "graph.ttl"], "small")
    return folder


def ask(home: Path, turn: Turn, *scripts: Script) -> AnswerRecord:
    """One turn; the server's requests are counted against the record, whatever happened."""
    with FakeModel(*scripts) as server:
        record = asyncio.run(_ask(home, turn, server))
        assert sum(record.model.calls.values()) == len(server.requests)
    return record


async def _ask(home: Path, turn: Turn, server: FakeModel) -> AnswerRecord:
    runtime = _runtime(home, server)
    try:
        return await take_turn(runtime, turn)
    finally:
        await runtime.aclose()


def _runtime(home: Path, server: FakeModel) -> Runtime:
    given = {"GRAPHCITE_HOME": str(home), "GRAPHCITE_ENCODER": "none", "GRAPHCITE_MODEL": "fake"}
    return Runtime(replace(load_settings(given), model_base_url=server.base_url))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_with_the_graph_off_the_model_answers_and_nothing_is_cited(
    home: Path, language: str
) -> None:
    record = ask(home, Turn(ASKED[language], strategy="base"), WORDS)
    assert record.answer == "Triptans narrow vessels. They calm nerves."
    assert record.status == "complete" and record.problems == record.retrieval.problems == ()
    assert record.evidence == () and record.cautions == () and record.remarks == ()
    assert [(s.citations, s.verdict) for s in record.sentences] == [((), "uncited")] * 2
    assert (record.citation_recall, record.citation_precision) == (0.0, None)
    assert (record.model.name, record.model.calls) == ("fake", {"answer": 1})
    assert record.model.tokens == 7
    assert record.notices == notices_for("medical", record.retrieval)
    told = {"en": "from its own knowledge", "zh": "凭自身知识写成"}[language]
    assert told in record.notices[0]


def test_the_command_line_says_that_it_is_not_from_the_graph(home: Path) -> None:
    with FakeModel(WORDS, WORDS) as server:
        settings = {"GRAPHCITE_ENCODER": "none", "GRAPHCITE_MODEL": "fake"}
        settings["GRAPHCITE_MODEL_BASE_URL"] = server.base_url
        words = ("ask", ASKED["en"], "--strategy", "base")
        printed = graphcite(home, *words, **settings)
        document = graphcite(home, *words, "--json", **settings).json
    assert printed.code == 0 and "Triptans narrow vessels. They calm nerves." in printed.out
    assert "from its own knowledge" in printed.out and "Evidence" not in printed.out
    assert printed.err.count("uncited") == 2
    assert document["evidence"] == [] and document["strategy"]["name"] == "base"
    assert "from its own knowledge" in document["notices"][0]
    assert {sentence["verdict"] for sentence in document["sentences"]} == {"uncited"}


@pytest.mark.parametrize(
    "script", [DEAD, chat(""), chat("[E1][E2]")], ids=["500", "nothing", "unknown ids"]
)
def test_with_the_graph_off_a_model_that_says_nothing_is_an_error(
    home: Path, script: Script
) -> None:
    """The abstention would say that the graph was asked."""
    with FakeModel(script) as server:
        stored = asyncio.run(_ended(home, "base", server, ModelError))
    assert (stored.status, stored.answer) == ("failed", "")
    assert len(stored.retrieval.problems) == 1 and stored.model.calls == {"answer": 1}
    assert stored.model.name is None and "own knowledge" not in stored.notices[0]


def test_what_is_withheld_is_withheld_with_the_graph_off_too(home: Path) -> None:
    record = ask(home, Turn("I want to kill myself", strategy="base"))
    assert record.answer == WITHHELD["en"] and record.model.calls == {}
    assert record.safety.advice and "own knowledge" not in record.notices[0]


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "base"])
def test_without_evidence_no_strategy_asks_for_an_answer(home: Path, strategy: str) -> None:
    question = "How do I file my taxes?"
    record = ask(home, Turn(question, strategy=strategy), *[chat('["tax law"]')] * 5)
    assert record.answer == ABSTENTION["en"] and record.evidence == ()
    assert "answer" not in record.model.calls and record.model.name is None


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("settings", [{}, {"ner": "prompt", "ranking": "expansion"}])
def test_what_a_dead_server_keeps_from_is_said_once_with_all_that_was_done(
    home: Path, settings: dict[str, str], language: str
) -> None:
    turn = Turn(ASKED[language], strategy="kg-rank", parameters=settings)
    record = ask(home, turn, DEAD, DEAD, DEAD)
    lines = (*record.retrieval.problems, *record.problems)
    assert sum("500" in line for line in lines) == 1
    composed = {
        "en": "The answer was composed without the model.",
        "zh": "回答由程序写成，未使用语言模型。",
    }[language]
    assert lines[-1].endswith(composed) and len(lines) == (2 if settings else 1)
    if settings:
        asked = {"ner": 1, "expansion": 1, "answer": 1}
        assert record.model.calls == asked and record.problems == (composed,)
        instead = {
            "en": "The graph's own names in the question were used. Ranked by similarity instead.",
            "zh": "已改用图谱中的名称。已改用相似度排序。",
        }[language]
        assert record.retrieval.problems[0].endswith(instead)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "The hypothesis was cut off: the server ended it early."),
        ("zh", "假设答案中断：服务器提前结束了输出。"),
    ],
)
def test_what_broke_off_on_the_way_is_called_by_its_name(
    home: Path, language: str, words: str
) -> None:
    broken = Script([delta("Mig"), Drop()])
    record = ask(home, Turn(ASKED[language], strategy="hykge"), broken, chat("Sure [E1]."))
    (line,) = record.retrieval.problems
    assert line.startswith(words) and not record.problems
    assert record.model.calls == {"hypothesis": 1, "answer": 1}


def test_a_limit_of_its_own_is_no_setting_of_the_user_s(home: Path) -> None:
    thinking = chat("<think>well", finish="length", tokens=300)
    turn = Turn(ASKED["en"], strategy="hykge")
    record = ask(home, turn, thinking, thinking, thinking)
    (line,) = record.retrieval.problems
    assert line.startswith("The model gave no hypothesis: its thoughts used up all tokens.")
    (line,) = record.problems
    assert "gave no answer: its thoughts used up" in line and "GRAPHCITE_MODEL_MAX_TOKENS" in line
    assert record.model.calls == {"hypothesis": 1, "repair": 1, "answer": 1}
    assert record.model.tokens == 900  # also of what came to nothing


def test_what_a_server_refuses_and_is_asked_again_is_counted_as_repair(home: Path) -> None:
    no = failure(400, {"error": {"message": "temperature is not supported"}})
    nor = failure(400, {"error": {"message": "stream_options is not supported"}})
    record = ask(home, Turn(ASKED["en"], strategy="kg-rank"), no, nor, chat("Sure [E1]."))
    assert record.model.calls == {"answer": 1, "repair": 2}
    record = ask(home, Turn(ASKED["en"], strategy="hykge"), no, chat("Triptans."), chat("Sure."))
    assert record.model.calls == {"hypothesis": 1, "repair": 1, "answer": 1}


def test_what_was_asked_before_a_turn_was_stopped_is_counted(home: Path) -> None:
    """In mid-answer, and in mid-hypothesis, where the search never comes to its end."""
    for strategy, calls, name in (
        ("kg-rank", {"answer": 1}, "fake"),
        ("hykge", {"search": 1}, None),
    ):
        hang = Hang()
        with FakeModel(Script([delta("Triptans narrow vessels. "), hang])) as server:
            record = asyncio.run(_ended(home, strategy, server, asyncio.CancelledError, hang))
        assert record.status == "stopped" and record.model.calls == calls
        assert record.model.name == name


async def _ended(
    home: Path,
    strategy: str,
    server: FakeModel,
    error: type[BaseException],
    hang: Hang | None = None,
) -> AnswerRecord:
    """What is stored of a turn that ends so; one that hangs is stopped there."""
    runtime = _runtime(home, server)
    try:
        id_ = runtime.history.create_conversation("local", "x", "medical")
        turn = Turn(ASKED["en"], id_, strategy=strategy, message_id=id_, answer_id=f"a-{id_}")
        taking = asyncio.create_task(take_turn(runtime, turn))
        if hang:
            await asyncio.to_thread(hang.reached.wait, 30)
            taking.cancel()
        with pytest.raises(error):
            await taking
        stored = runtime.history.last_answer(id_)
        assert stored is not None
        return stored
    finally:
        await runtime.aclose()


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "k, lc are not used by kg-rank."), ("zh", "kg-rank 不使用以下设置：k、lc。")],
)
def test_settings_that_the_strategy_does_not_use_are_said(
    home: Path, language: str, line: str
) -> None:
    settings = {"k": "2", "top": "5", "lc": "8"}
    turn = Turn(ASKED[language], strategy="kg-rank", parameters=settings)
    assert ask(home, turn, chat("Sure [E1].")).problems == (line,)
    turn = replace(turn, strategy="hykge")
    assert ask(home, turn, chat("Sure."), chat("Sure [E1].")).problems == ()
    turn = replace(turn, strategy="base", parameters={"top": "3"})
    assert "top" in ask(home, turn, chat("Sure.")).problems[0]

"""What the models of one running Graphcite load, keep and say: vectors, encoders, re-rankers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot import models
from bot.conversation import Turn, take_turn
from bot.models import Loading, Models
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.loader import drop_source
from kg.local.vector_building import build_vectors
from kg.sources import import_source
from tests.fakes import FakeModel, Hang, Script, failure
from tests.kg.word_encoder import WordEncoder

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
ONE = "What are the treatments for migraine?"
TWO = "What do asthma and COPD have in common?"
BOTH = ("en", "zh")


def silent(stage: str, done: int, total: int | None) -> None:
    """No progress."""


class Shelf:
    """A home with a graph of small sources, and the models over it."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder = home, home / "graphs" / "medical"
        settings = load_settings({"GRAPHCITE_HOME": str(home), "GRAPHCITE_ENCODER": "words"})
        self.models = Models(settings)
        self.encoder = WordEncoder(languages=BOTH)

    def imports(self, name: str, *labels: str) -> None:
        file = self.home / f"{name}.ttl"
        file.write_text(
            "".join(f'<http://e/{name}{n}> {LABEL} "{x}" .\n' for n, x in enumerate(labels))
        )
        import_source(self.folder, "rdf", [file], name)

    def builds(self, encoder: WordEncoder | None = None) -> None:
        build_vectors(self.folder, encoder or self.encoder, silent)

    def asks(
        self, *sources: str, language: str = "en", name: str = "gout"
    ) -> tuple[int, list[str]]:
        """How many entities are near a name, and what is said."""
        loading = Loading()
        graph = LocalGraph(self.folder, sources=sources or None)
        found = self.models.vectors(graph, self.encoder, language, loading)
        near = found.nearest([name], language, 5, Deadline.after(60))[0] if found else ()
        return sum(candidate.score > 0.5 for candidate in near), loading.problems


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = Shelf(tmp_path)
    made.imports("one", "gout", "fever")
    return made


def test_without_vectors_nothing_is_said(shelf: Shelf) -> None:
    assert shelf.asks() == (0, [])
    (shelf.folder / "vectors").mkdir()
    assert shelf.asks() == (0, [])


def test_what_is_built_while_it_runs_is_used_at_the_next_question(shelf: Shelf) -> None:
    assert shelf.asks() == (0, [])
    shelf.builds()
    assert shelf.asks() == (1, [])
    shelf.imports("two", "gout attack")
    line = "The names of two have no stored vectors: run 'graphcite kg vectors'"
    for _ in range(2):  # once per question
        count, (said,) = shelf.asks()
        assert count == 1 and said.startswith(line)
    shelf.builds()
    assert shelf.asks() == (2, [])
    drop_source(shelf.folder, "two")
    assert shelf.asks() == (1, [])


def test_only_the_chosen_sources_count(shelf: Shelf) -> None:
    shelf.builds()
    shelf.imports("two", "gout attack")
    assert shelf.asks("one") == (1, [])
    count, (said,) = shelf.asks("two", language="zh")
    assert count == 0 and said.startswith("two 的名称没有存储的向量：请运行 graphcite kg vectors")


def test_many_sources_are_one_line(shelf: Shelf) -> None:
    shelf.builds()
    for name in ("b", "c", "d", "e", "f"):
        shelf.imports(name, name)
    (english,), (chinese,) = shelf.asks()[1], shelf.asks(language="zh")[1]
    assert "of b, c, d and 2 more have" in english and "b, c, d 等 5 个来源" in chinese
    assert "\n" not in english + chinese


def test_vectors_of_another_encoder_are_told_as_such(shelf: Shelf) -> None:
    shelf.builds(WordEncoder(name="former", languages=("en",)))
    count, (english,) = shelf.asks()
    assert (
        count == 0 and "were made by former (en), and the encoder is now words (en, zh)" in english
    )
    assert "由 former (en) 生成，而现在的编码器是 words (en, zh)" in shelf.asks(language="zh")[1][0]
    shelf.builds()
    assert shelf.asks() == (1, [])


def test_what_is_open_stays_open_while_nothing_changes(shelf: Shelf) -> None:
    shelf.builds()
    graph, loading = LocalGraph(shelf.folder), Loading()
    first, second = (
        shelf.models.vectors(graph.pinned(), shelf.encoder, "en", loading) for _ in range(2)
    )
    assert first is second is not None


# Models that do not work, in whole questions


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    import_source(folder / "graphs" / "medical", "starter")
    return folder


@contextmanager
def running(home: Path, **settings: str) -> Iterator[Runtime]:
    given = {"GRAPHCITE_HOME": str(home), "GRAPHCITE_ENCODER": "none"}
    given |= {f"GRAPHCITE_{name.upper()}": value for name, value in settings.items()}
    runtime = Runtime(load_settings(given))
    try:
        yield runtime
    finally:
        runtime.close()


def ask(runtime: Runtime, question: str = ONE) -> tuple[AnswerRecord, list[str]]:
    """The record of a question that must be answered, and all that is said."""
    record = asyncio.run(take_turn(runtime, Turn(question)))
    assert record.status == "complete" and record.evidence
    said = [*record.retrieval.problems, *record.problems]
    assert all("\n" not in line and "Traceback" not in line for line in said)
    return record, said


def cohere(server: FakeModel) -> dict[str, str]:
    address = f"http://{server.address}"
    return {"reranker": "cohere", "cohere_key": "secret", "cohere_base_url": address}


FAILING = [
    (failure(401, {}), "refused the key: check GRAPHCITE_{}_KEY"),
    (failure(429, {}), "takes no more requests now: ask again in a minute"),
    (failure(500, {}), "has a problem of its own (status 500): ask again"),
    (failure(200, "<html>"), "gave an answer that cannot be used (no JSON): check GRAPHCITE_"),
    (Script([Hang()], 200, "application/json"), "did not answer "),
]


@pytest.mark.parametrize("question", [ONE, TWO])
@pytest.mark.parametrize(("script", "message"), FAILING)
def test_cohere_that_fails_is_one_line(
    home: Path, question: str, script: Script, message: str
) -> None:
    with FakeModel(*[script] * 9) as server:
        with running(home, **cohere(server), reranker_seconds="0.3") as runtime:
            record, (line,) = ask(runtime, question)
        assert len(server.requests) == 1
    assert line.startswith(f"The re-ranker at {server.address} {message.format('COHERE')}")
    assert line.count("order stays") == 1 and "secret" not in line
    assert record.retrieval.parameters["reranker"] == "none"


@pytest.mark.parametrize("question", [ONE, TWO])
@pytest.mark.parametrize(("script", "message"), FAILING)
def test_an_embeddings_server_that_fails_is_one_line(
    home: Path, question: str, script: Script, message: str
) -> None:
    with FakeModel(*[script] * 9) as server:
        settings = {"encoder": f"{server.base_url}#m", "encoder_key": "secret"}
        with running(home, **settings, turn_seconds="4") as runtime:
            record, (line,) = ask(runtime, question)
        assert len(server.requests) == 1
    assert line.startswith(f"The encoder at {server.address} {message.format('ENCODER')}")
    assert line.count("ranked by shared words") == 1 and "secret" not in line
    assert record.retrieval.parameters["encoder"] == "lexical"


def test_both_that_fail_are_a_line_each(home: Path) -> None:
    with FakeModel(*[failure(500, {})] * 9) as one, FakeModel(*[failure(429, {})] * 9) as other:
        with running(home, encoder=f"{one.base_url}#m", **cohere(other)) as runtime:
            said = ask(runtime)[1]
        assert (len(one.requests), len(other.requests)) == (1, 1)
    assert sorted(line.split()[1] for line in said) == ["encoder", "re-ranker"]


def test_an_encoder_that_fails_alone_leaves_the_re_ranker(home: Path) -> None:
    def scores(count: int) -> Script:
        results = [{"index": n, "relevance_score": 0.5} for n in range(count)]
        return failure(200, {"results": results})

    with (
        FakeModel(*[failure(500, {})] * 9) as one,
        FakeModel() as other,
        running(home, encoder=f"{one.base_url}#m", **cohere(other)) as runtime,
    ):
        other.scripts = [scores(len(ask_facts(runtime)))]
        record, (line,) = ask(runtime)
    assert line.startswith("The encoder at ")
    assert record.retrieval.parameters["reranker"] == "cohere rerank-v4.0-fast"


def ask_facts(runtime: Runtime) -> list[str]:
    """The texts that a re-ranker gets for the question: those that one which fails was sent."""
    with FakeModel(failure(500, {})) as server:
        changed = replace(
            runtime.settings, encoder="none", cohere_base_url=f"http://{server.address}"
        )
        other = Runtime(changed)
        try:
            ask(other)
        finally:
            other.close()
        return list(server.requests[0]["documents"])


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"reranker": "/no/model"}, "The re-ranker cannot be loaded from /no/model: it is not"),
        ({"reranker": "a/b"}, "The re-ranker 'a/b' is not on this machine, and the model hub at"),
        ({"reranker": "cohere"}, "The re-ranker at api.cohere.com needs a key: set GRAPHCITE_COH"),
        ({"encoder": "/no/model"}, "The encoder cannot be loaded from /no/model: it is not there"),
        ({"encoder": "a/b"}, "The encoder 'a/b' is not on this machine, and the model hub at"),
        ({"encoder": "a/b", "offline": "1"}, "The encoder 'a/b' is not on this machine, and noth"),
        ({"encoder": "http://h/v1"}, "The encoder address names no model: write it like"),
        ({"encoder": "http://127.0.0.1:9/v1#m"}, "The encoder at 127.0.0.1:9 cannot be reached"),
    ],
)
def test_models_that_cannot_be_loaded_are_one_line_for_each_question(
    home: Path, settings: dict[str, str], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with running(home, **settings) as runtime:
        for _ in range(2):
            assert [said[: len(line)] for said in ask(runtime)[1]] == [line]


def test_a_model_that_could_not_be_loaded_is_tried_again_after_a_while(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    with running(home, reranker=str(folder)) as runtime:
        first, again = Loading(), Loading()
        assert runtime.models.reranker(None, "en", first) is None
        assert runtime.models.reranker(None, "zh", again) is None
        assert first.timings.keys() == {"loading re-ranker"} and again.timings == {}
        assert "是一个文件" not in again.problems[0] and "它不存在" in again.problems[0]
        folder.write_text("no folder")
        monkeypatch.setattr(models, "TRY_AGAIN", 0.0)
        last = Loading()
        assert runtime.models.reranker(None, "en", last) is None
        assert "it is a file" in last.problems[0]


def test_an_embeddings_server_that_goes_away_after_its_vectors_were_built(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.imports("one", "gout", "fever")
    with FakeModel() as server:
        settings = load_settings(
            {"GRAPHCITE_HOME": str(tmp_path), "GRAPHCITE_ENCODER": f"{server.base_url}#m"}
        )
    name = f"m@{server.address}"
    build_vectors(shelf.folder, WordEncoder(name=name), silent)
    runtime = Runtime(settings)
    try:
        record = asyncio.run(take_turn(runtime, Turn("What is podagra, and what is fever?")))
    finally:
        runtime.close()
    (line,) = [*record.retrieval.problems, *record.problems]
    assert line.startswith(f"The encoder at {server.address} cannot be reached")
    assert [entity.label for entity in record.retrieval.entities] == ["fever"]

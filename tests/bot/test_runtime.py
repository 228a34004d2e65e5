"""Each question reads one graph from its beginning to its end, whatever is imported meanwhile."""

from __future__ import annotations

import asyncio
import gc
import re
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest

from bot.conversation import Listener, Turn, take_turn
from bot.models import Loading
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.errors import NotFound
from kg.local import LocalGraph
from kg.local.loader import drop_source
from kg.local.vector_building import build_vectors
from kg.sources import import_source
from tests.kg.word_encoder import WordEncoder

QUESTIONS, IMPORTS, AT_ONCE = 20, 5, 5
# Number {n} stands in whatever an answer and its cautions can tell.
GRAPH = """
@prefix e: <http://e/> .
@prefix gc: <urn:graphcite:vocabulary:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
e:treats rdfs:label "treats"@en . e:contraindicatedIn rdfs:label "contraindicated in"@en .
e:migraine rdfs:label "migraine"@en ; dcterms:description "Text {n}."@en .
e:asthma rdfs:label "asthma {n}"@en ; skos:altLabel "asthma"@en .
e:drug a gc:Medicine ; rdfs:label "drug {n}"@en ; e:treats e:migraine .
e:drug e:contraindicatedIn e:asthma .
"""
ASKED = "What are the treatments for migraine? My asthma is bad."


class Home:
    """A runtime, and imports of numbered graphs into its folder; `versions` has their numbers."""

    def __init__(self, folder: Path) -> None:
        settings = load_settings({"GRAPHCITE_HOME": str(folder), "GRAPHCITE_ENCODER": "none"})
        self.graph = settings.graphs / "medical"
        self.runtime = Runtime(settings)
        self.versions: dict[str, int] = {}
        self._file = folder / "graph.ttl"

    def imports(self, number: int) -> None:
        self._file.write_text(GRAPH.format(n=number), encoding="utf-8")
        import_source(self.graph, "rdf", [self._file], "numbered")
        self.versions[LocalGraph(self.graph).identity().version] = number

    def asks(self, listener: Listener | None = None, question: str = ASKED) -> AnswerRecord:
        turn = Turn(question, strategy="kg-rank")
        return asyncio.run(take_turn(self.runtime, turn, listener or Listener()))

    def is_of_one_version(self, record: AnswerRecord) -> bool:
        """Whether all that was told is of the version in the trace, its cautions too."""
        number = self.versions[record.retrieval.graph.version]
        told = [record.answer, *record.cautions, *(one.evidence.text for one in record.evidence)]
        said = {int(n) for text in told for n in re.findall(r"(?:rug|Text|asthma) (\d+)", text)}
        return (
            said == {number}
            and f"drug {number}" in record.answer
            and f"asthma {number}" in record.cautions[0]
        )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    made.imports(10)
    yield made
    made.runtime.close()


def test_questions_while_graphs_are_imported(home: Home) -> None:
    started, ended = Barrier(AT_ONCE + 1), Event()

    def ask() -> list[AnswerRecord]:
        started.wait()
        records: list[AnswerRecord] = []
        while not ended.is_set() or len(records) < QUESTIONS // AT_ONCE:
            records.append(home.asks())
        return records

    with ThreadPoolExecutor(AT_ONCE) as pool:
        asking = [pool.submit(ask) for _ in range(AT_ONCE)]
        started.wait()
        try:
            for number in range(IMPORTS):
                home.imports(11 + number)
        finally:
            ended.set()
        records = [record for one in asking for record in one.result()]
    assert all(home.is_of_one_version(record) for record in records)
    last = home.asks()
    assert home.is_of_one_version(last)
    assert home.versions[last.retrieval.graph.version] == 10 + IMPORTS


def test_an_import_between_search_and_cautions(home: Home) -> None:
    class Importing(Listener):
        async def on_stage(self, name: str) -> None:
            if name == "answer":
                for number in (11, 12):  # the generation that was read is deleted
                    home.imports(number)
                home.runtime.graph("medical")  # somebody else asks

    record = home.asks(Importing())
    assert home.is_of_one_version(record)
    assert home.versions[record.retrieval.graph.version] == 10


def test_nothing_keeps_a_graph_that_was_replaced(home: Home) -> None:
    import_source(home.graph, "starter")
    runtime = home.runtime
    old = [
        weakref.ref(runtime.graph("medical", sources).snapshot) for sources in ((), ("starter",))
    ]
    assert home.asks().answer
    home.imports(11)
    runtime.graph("medical", ("numbered",))  # those of other choices are not asked any more
    gc.collect()
    assert [one() for one in old] == [None, None]


def test_a_source_that_was_dropped_is_said_and_the_question_before_goes_on(home: Home) -> None:
    import_source(home.graph, "starter")
    before = home.runtime.graph("medical", ["numbered"])
    drop_source(home.graph, "numbered")
    with pytest.raises(NotFound, match="no source 'numbered'"):
        home.runtime.graph("medical", ["numbered"])
    assert [source.name for source in before.identity().sources] == ["numbered"]


def test_vectors_are_of_the_graph_that_is_read(home: Home) -> None:
    encoder, models = WordEncoder(), home.runtime.models
    build_vectors(home.graph, encoder, lambda *_: None)
    before = home.runtime.graph("medical")
    home.imports(11)
    build_vectors(home.graph, encoder, lambda *_: None)
    now = home.runtime.graph("medical")
    old = models.vectors(before, encoder, "en", Loading())
    assert old is None  # the vectors of what was replaced are gone
    new = models.vectors(now, encoder, "en", Loading())
    assert new is not None and new is models.vectors(now.pinned(), encoder, "en", Loading())

"""One question reads one generation to its end, whatever is imported or dropped meanwhile."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.errors import KgError
from kg.local import LocalGraph
from kg.local import graph as module
from kg.local.generations import current_generation
from kg.local.loader import drop_source
from kg.local.snapshot import Snapshot
from kg.protocols import ChainQuery, KnowledgeGraph
from tests.chains import flat
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
OLD = """
e:m rdfs:label "migraine"@en ; dcterms:description "An old text."@en ; e:note "old" .
e:s rdfs:label "sumatriptan"@en ; e:treats e:m ; e:relatedTo e:a . e:a e:relatedTo e:m .
e:m oio:hasDbXref "MESH:D008881" . <http://id.nlm.nih.gov/mesh/D008881> e:note "joined" .
"""
NEW = 'e:m rdfs:label "measles"@en ; dcterms:description "A new text."@en . e:s e:treats e:m .'
READ: dict[str, Callable[[KnowledgeGraph, Deadline], object]] = {
    "identity": lambda graph, soon: graph.identity(),
    "mentions": lambda graph, soon: graph.mentions("Is sumatriptan for migraine?", soon),
    "candidates": lambda graph, soon: graph.candidates("migraine", "en", soon),
    "describe": lambda graph, soon: graph.describe([E + "m", E + "s"], "en", soon),
    "triples": lambda graph, soon: graph.triples(E + "m", "en", soon),
    "descriptions": lambda graph, soon: graph.descriptions([E + "m"], "en", soon),
    "chains": lambda graph, soon: graph.chains([E + "s", E + "m"], ChainQuery(flat), "en", soon),
}


@pytest.mark.parametrize("what", READ)
def test_a_view_says_what_it_said_though_its_files_are_deleted(
    make_graph: MakeGraph, graph_folder: Path, soon: Deadline, what: str
) -> None:
    make_graph(a=OLD)
    expected = READ[what](LocalGraph(graph_folder), soon)
    graph = LocalGraph(graph_folder)
    view = graph.pinned()  # nothing was read of it yet
    for source in ("b", "c"):
        make_graph(**{source: NEW})
    drop_source(graph_folder, "a")
    assert not view.snapshot.generation.exists()
    assert graph.reload_if_changed()
    assert READ[what](view, soon) == expected != READ[what](graph, soon)


def test_what_no_question_reads_any_more_is_let_go(make_graph: MakeGraph) -> None:
    graph = make_graph(a=OLD)
    first, second = graph.pinned(), graph.pinned()
    old = weakref.ref(graph.snapshot)
    assert first.triples(E + "m", "en", Deadline.after(60)).triples
    make_graph(a=NEW)
    graph.reload_if_changed()
    del first
    assert old() is not None and second.snapshot is old()
    del second
    assert old() is None


def test_a_view_is_not_closed_with_its_graph(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=OLD)
    view = graph.pinned()
    graph.close()
    assert view.candidates("migraine", "en", soon)
    with pytest.raises(ValueError, match="closed"):
        graph.candidates("migraine", "en", soon)


def test_a_view_moves_only_when_it_is_told_to(make_graph: MakeGraph) -> None:
    graph = make_graph(a=OLD)
    view = graph.pinned()
    make_graph(a=NEW)
    assert view.reload_if_changed() and not view.reload_if_changed()
    assert view.identity().version != graph.identity().version


def test_a_query_on_what_was_replaced_is_no_damage(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=OLD)
    for source in ("b", "c"):
        make_graph(**{source: NEW})
    with pytest.raises(KgError) as caught:
        graph.query("ASK { ?s ?p ?o }", soon)
    assert "replaced by newer imports" in caught.value.user_message
    assert "请重新提问" in caught.value.message("zh")


def test_a_generation_that_is_deleted_while_it_is_opened_gives_way_to_the_newest(
    make_graph: MakeGraph, graph_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_graph(a=OLD)
    opened: list[str] = []

    def late(generation: Path, only: frozenset[str] | None) -> Snapshot:
        opened.append(generation.name)
        if len(opened) == 1:
            monkeypatch.setattr(module, "Snapshot", Snapshot)
            for source in ("b", "c"):
                make_graph(**{source: NEW})
            monkeypatch.setattr(module, "Snapshot", late)
        return Snapshot(generation, only)

    monkeypatch.setattr(module, "Snapshot", late)
    assert len(LocalGraph(graph_folder).identity().sources) == 3
    assert opened == ["g000001", "g000003"]


def test_a_folder_that_was_made_anew_is_noticed(make_graph: MakeGraph, graph_folder: Path) -> None:
    graph = make_graph(a=OLD)
    view = graph.pinned()
    shutil.rmtree(graph_folder)
    make_graph(a=NEW)
    assert current_generation(graph_folder) == graph.snapshot.generation
    assert graph.reload_if_changed() and not graph.reload_if_changed()
    soon = Deadline.after(60)
    assert graph.candidates("measles", "en", soon) and view.candidates("migraine", "en", soon)

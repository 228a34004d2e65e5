"""Stored vectors of names: exact, by concept, resumable, useless only where something changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import GraphBusy, ModelError, NotFound
from kg.local import LocalGraph, vector_building, vectors
from kg.local.integrity import verify
from kg.local.loader import drop_source
from kg.local.vector_building import build_vectors
from kg.local.vector_files import BuiltBy, built_by
from kg.local.vectors import StoredVectors, open_vectors
from kg.protocols import NameVectors
from tests.kg.conftest import MakeGraph
from tests.kg.word_encoder import WordEncoder

E = "http://example.org/"
HEART = """
e:mi rdfs:label "Myocardial infarction"@en ; skos:altLabel "Cardiac infarction"@en, "心肌梗死"@zh .
e:ha rdfs:label "Headache" ; skos:altLabel "Pain in the head" . e:x rdfs:label "X" .
"""
OTHER = 'e:gout rdfs:label "Gout"@en . e:pain rdfs:label "Chronic pain"@en .'
HEART_ATTACK = (("heart", "myocardial"), ("attack", "infarction"))


def silent(stage: str, done: int, total: int | None) -> None:
    """No progress."""


def opened(folder: Path, encoder: WordEncoder) -> StoredVectors:
    found = open_vectors(folder, encoder, 0.7)
    assert found is not None
    return found


def nearest(
    folder: Path, name: str, encoder: WordEncoder, most: int = 3
) -> list[tuple[str, float]]:
    (found,) = opened(folder, encoder).nearest([name], "en", most, Deadline.after(60))
    assert all(candidate.how == "embedding" for candidate in found)
    return [(candidate.iri.removeprefix(E), round(candidate.score, 3)) for candidate in found]


def folders(folder: Path) -> list[str]:
    return sorted(p.name for p in (folder / "vectors").glob("*/*"))


def test_the_nearest_name_of_each_entity_counts(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(a=HEART, b=OTHER)
    encoder = WordEncoder(*HEART_ATTACK)
    assert open_vectors(graph_folder, encoder, 0.7) is None
    report = build_vectors(graph_folder, encoder, silent)
    assert (report.names, report.embedded, report.sources) == (7, 7, ("a", "b"))
    assert nearest(graph_folder, "heart attack", encoder, 1) == [("mi", 1.0)]
    assert [iri for iri, _ in nearest(graph_folder, "cardiac pain", encoder)][:2] in (
        ["mi", "pain"],
        ["pain", "mi"],
    )
    stored: NameVectors = opened(graph_folder, encoder)
    assert stored.delta == 0.7


def test_names_and_questions_in_scripts_that_the_encoder_does_not_read(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(a=HEART)
    english, both = WordEncoder(), WordEncoder(name="both", languages=("en", "zh"))
    for encoder in (english, both):
        build_vectors(graph_folder, encoder, silent)
    assert not any("心" in text for text in english.given)
    assert (
        opened(graph_folder, english).nearest(["心肌梗死", "x"], "en", 1, Deadline.after(60))[0]
        == ()
    )
    assert nearest(graph_folder, "心肌梗死", both, 1) == [("mi", 1.0)]


def test_every_vector_is_compared_whatever_the_chunks(
    make_graph: MakeGraph, graph_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"word{a}x word{b}y" for a in range(12) for b in range(12)]
    lines = [f'e:n{i} rdfs:label "{name}" .' for i, name in enumerate(words)]
    make_graph(a="\n".join(lines[:50]), b="\n".join(lines[50:]))
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    monkeypatch.setattr(vectors, "CHUNK", 7)
    asked = ["word3x word4y", "word11x", "word0y other"]
    found = opened(graph_folder, encoder).nearest(asked, "en", 4, Deadline.after(60))
    products = encoder.encode(asked) @ encoder.encode(words).astype(np.float16).T.astype(np.float32)
    for row, candidates in zip(products, found, strict=True):
        assert [c.score for c in candidates] == pytest.approx(sorted(row)[::-1][:4], abs=1e-3)


def test_ids_of_one_thing_are_one_candidate(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(
        a='obo:DOID_1 rdfs:label "Tummy ache" ; skos:exactMatch <http://e/m> .',
        b='<http://e/m> rdfs:label "Belly ache" .',
    )
    encoder = WordEncoder(("tummy", "belly"))
    build_vectors(graph_folder, encoder, silent)
    (found,) = opened(graph_folder, encoder).nearest(["belly ache"], "en", 5, Deadline.after(60))
    assert [(c.iri, c.label) for c in found] == [
        ("http://purl.obolibrary.org/obo/DOID_1", "Tummy ache")
    ]


def test_a_build_that_was_killed_goes_on_where_it_stopped(
    make_graph: MakeGraph, graph_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_building, "BATCH", 4)
    make_graph(a="\n".join(f'e:n{i} rdfs:label "name{i}" .' for i in range(20)), b=OTHER)
    with pytest.raises(KeyboardInterrupt):
        build_vectors(graph_folder, WordEncoder(breaks_after=10), silent)
    encoder = WordEncoder()
    assert open_vectors(graph_folder, encoder, 0.7) is None  # half a source is no source
    (part,) = (graph_folder / "vectors").glob("*/*/vectors.f16")
    with part.open("ab") as file:
        file.write(b"half a row")
    told: list[tuple[str, int, int | None]] = []
    report = build_vectors(graph_folder, encoder, lambda *step: told.append(step))
    assert report.names == 22 and report.embedded == 14
    assert told[0] == ("a", 8, 20) and ("a", 20, 20) in told
    assert "name3" not in encoder.given and "name19" in encoder.given
    assert nearest(graph_folder, "name7", encoder, 1) == [("n7", 1.0)]
    assert nearest(graph_folder, "name19", encoder, 1) == [("n19", 1.0)]


def test_an_import_makes_only_its_own_vectors_useless(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(a=HEART, b=OTHER)
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    make_graph(b='e:gout rdfs:label "Podagra"@en .')
    stored = opened(graph_folder, encoder)
    assert stored.missing == ("b",) and stored.count == 5
    report = build_vectors(graph_folder, encoder, silent)
    assert report.embedded == 1 and len(folders(graph_folder)) == 2
    assert opened(graph_folder, encoder).missing == ()
    assert nearest(graph_folder, "podagra", encoder, 1) == [("gout", 1.0)]
    drop_source(graph_folder, "b")
    assert build_vectors(graph_folder, encoder, silent).sources == ("a",)
    assert [re.sub("-.*", "", name) for name in folders(graph_folder)] == ["a"]


def test_a_reader_keeps_its_generation_while_others_import_and_build(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(a=HEART, b=OTHER)
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    stored = opened(graph_folder, encoder)
    make_graph(a='e:mi rdfs:label "Something else" .')
    (found,) = stored.nearest(["gout"], "en", 1, Deadline.after(60))
    assert found[0].iri == E + "gout" and stored.generation.name == "g000002"
    verify(graph_folder)


def test_only_some_sources(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(a=HEART, b=OTHER)
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    some = open_vectors(graph_folder, encoder, 0.7, ["b"])
    assert some is not None and some.count == 2 and some.missing == ()


def test_vectors_belong_to_one_encoder(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(a=HEART)
    first, second = WordEncoder(), WordEncoder(name="others")
    build_vectors(graph_folder, first, silent)
    assert open_vectors(graph_folder, second, 0.7) is None
    build_vectors(graph_folder, second, silent)
    assert len(folders(graph_folder)) == 2  # one does not throw the other's away
    for path in (graph_folder / "vectors").glob("*/*/vectors.f16"):
        path.write_bytes(path.read_bytes()[:-2])
    assert open_vectors(graph_folder, first, 0.7) is None
    assert build_vectors(graph_folder, first, silent).embedded == 5
    assert nearest(graph_folder, "headache", first, 1) == [("ha", 1.0)]


def test_what_is_open_knows_when_there_is_more(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(a=HEART)
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    graph = LocalGraph(graph_folder)
    before = graph.pinned()
    stored = StoredVectors(graph, encoder, 0.7)
    build_vectors(graph_folder, WordEncoder(name="others"), silent)
    assert stored.serves(graph)
    make_graph(b=OTHER)
    assert stored.serves(graph) and graph.reload_if_changed()
    assert stored.serves(before) and not stored.serves(graph)
    stored = StoredVectors(graph, encoder, 0.7)
    assert stored.serves(graph) and not stored.serves(before) and stored.missing == ("b",)
    build_vectors(graph_folder, encoder, silent)
    assert not stored.serves(graph) and StoredVectors(graph, encoder, 0.7).serves(graph)


def test_a_question_keeps_the_vectors_that_it_began_with(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(a=OTHER)
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    stored, before = opened(graph_folder, encoder), folders(graph_folder)
    make_graph(a='e:mi rdfs:label "Something else" .')
    build_vectors(graph_folder, encoder, silent)
    assert not set(before) & set(folders(graph_folder))
    (found,) = stored.nearest(["gout"], "en", 1, Deadline.after(60))
    assert found[0].iri == E + "gout"


def test_which_encoders_built_what_the_graph_holds(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(a=HEART)
    assert built_by(graph_folder) == ()
    encoders = (WordEncoder(), WordEncoder(name="both", languages=("zh", "en")))
    for encoder in encoders:
        build_vectors(graph_folder, encoder, silent)
    both = BuiltBy("both", frozenset({"en", "zh"}))
    assert built_by(graph_folder) == (both, BuiltBy("words", frozenset({"en"})))
    for about in (graph_folder / "vectors").glob("words-*/*/about.json"):
        about.write_text("[]")
    for about in (graph_folder / "vectors").glob("both-*/*/about.json"):
        about.write_text('{"encoder": "both"}')  # of a version that did not note languages
    assert built_by(graph_folder) == (BuiltBy("both", frozenset()),)
    make_graph(a=OTHER)
    assert built_by(graph_folder) == ()


class Growing(WordEncoder):
    """Gives vectors of one number more from a call on, as a server with another model would."""

    def __init__(self, call: int) -> None:
        super().__init__()
        self.call = call

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.call -= 1
        rows = super().encode(texts)
        return rows if self.call > 0 else np.pad(rows, ((0, 0), (0, 1)))


def test_vectors_of_another_length_are_told(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(a=HEART)
    with pytest.raises(ModelError, match="vectors of 256 and of 257 dimensions"):
        build_vectors(graph_folder, Growing(2), silent)
    build_vectors(graph_folder, WordEncoder(), silent)
    stored = opened(graph_folder, Growing(0))
    with pytest.raises(ModelError) as caught:
        stored.nearest(["headache"], "en", 1, Deadline.after(60))
    message = caught.value.user_message
    assert message.startswith("The stored vectors have 256 dimensions and the encoder gives 257:")
    assert "run 'graphcite kg vectors'" in message and "\n" not in message
    folder = next((graph_folder / "vectors").glob("words-*"))
    assert f"delete {folder} and" in message and str(folder) in caught.value.message("zh")


def test_nothing_is_said_when_the_time_ran_out(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(a=HEART)
    encoder = WordEncoder()
    build_vectors(graph_folder, encoder, silent)
    stored = opened(graph_folder, encoder)
    assert stored.nearest(["headache"], "en", 1, Deadline.after(-1)) == [()]
    looks = iter([False, True])
    assert stored.nearest(["x"], "en", 1, Deadline.after(60, lambda: next(looks))) == [()]
    assert stored.nearest([], "en", 1, Deadline.after(60)) == []


def test_one_build_at_a_time_and_no_graph(make_graph: MakeGraph, graph_folder: Path) -> None:
    encoder = WordEncoder()
    with pytest.raises(NotFound):
        build_vectors(graph_folder, encoder, silent)
    make_graph(a=HEART)
    with vector_building._exclusive(graph_folder), pytest.raises(GraphBusy, match="being built"):
        build_vectors(graph_folder, encoder, silent)


def test_a_source_without_names_that_the_encoder_reads(
    make_graph: MakeGraph, graph_folder: Path
) -> None:
    make_graph(a='e:x rdfs:label "心肌梗死"@zh .', b=OTHER)
    encoder = WordEncoder()
    assert build_vectors(graph_folder, encoder, silent).names == 2
    assert build_vectors(graph_folder, encoder, silent).embedded == 0
    assert opened(graph_folder, encoder).missing == ()

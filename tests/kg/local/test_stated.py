"""Of a hub some facts of every relation and direction are read, whatever the order of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.deadline import Deadline
from kg.local import LocalGraph, facts
from kg.local.stated import fair_shares
from kg.model import Triple
from kg.reading import is_description
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
LIMIT = 20
# Two large groups, one of them incoming, and small ones after them in the order of the file.
FACTS = [
    *(f"e:hub e:relatedTo e:o{i} ." for i in range(60)),
    *(f"e:i{i} e:relatedTo e:hub ." for i in range(40)),
    *(f"e:drug{i} e:treats e:hub ." for i in range(3)),
    'e:hub e:note "one", "two" ; e:hasSymptom e:fever .',
]


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "LIMIT", LIMIT)


def cut(graph: LocalGraph, deadline: Deadline | None = None) -> tuple[Triple, ...]:
    found = graph.triples(E + "hub", "en", deadline or Deadline.after(60))
    assert not found.complete
    return found.triples


def groups(triples: Sequence[Triple]) -> Counter[tuple[str, bool]]:
    return Counter((one.relation.label, one.subject.iri == E + "hub") for one in triples)


def test_small_groups_are_whole_and_large_ones_are_cut_alike(make_graph: MakeGraph) -> None:
    found = cut(make_graph(a="\n".join(FACTS)))
    assert groups(found) == {
        ("related to", True): 7,
        ("related to", False): 7,
        ("treats", False): 3,
        ("note", True): 2,
        ("has symptom", True): 1,
    }


def test_no_order_of_the_file_changes_what_is_read(tmp_path: Path, make_graph: MakeGraph) -> None:
    one = cut(make_graph(a="\n".join(FACTS)))
    assert cut(make_graph(a="\n".join(FACTS[::-1]))) == one
    assert {t.object.label for t in one} != {f"o{i}" for i in range(7)} | {"hub"}


def test_what_two_sources_state_of_one_end_comes_whole(make_graph: MakeGraph) -> None:
    numbers = {"one": range(60), "two": range(30, 90)}
    graph = make_graph(
        **{name: " ".join(f"e:hub e:p e:o{i} ." for i in some) for name, some in numbers.items()}
    )
    for triple in cut(graph):
        number = int((triple.object.iri or "").removeprefix(E + "o"))
        stated = [name for name, some in numbers.items() if number in some]
        assert [source.name for source in triple.sources] == stated


def test_values_of_a_hub_are_cut_as_its_neighbours_are(make_graph: MakeGraph) -> None:
    many = " ".join(f'e:hub e:note "note {i}" .' for i in range(50))
    found = cut(make_graph(a=f'{many} e:hub e:code "C1" ; e:note e:n0 . e:x e:treats e:hub .'))
    assert groups(found)["code", True] == groups(found)["treats", False] == 1
    assert len(found) == LIMIT


def test_ids_of_one_thing_share_what_is_read(make_graph: MakeGraph) -> None:
    graph = make_graph(
        a="e:hub oio:hasDbXref 'MESH:D1' . " + " ".join(f"e:hub e:p e:o{i} ." for i in range(50)),
        b="<http://id.nlm.nih.gov/mesh/D1> e:q e:z ; e:p e:o1 . e:drug e:treats "
        "<http://id.nlm.nih.gov/mesh/D1> .",
    )
    assert len(graph.ids([E + "hub"])[E + "hub"]) == 2
    labels = Counter(one.relation.label for one in cut(graph))
    assert labels == {"p": 18, "q": 1, "treats": 1}


def test_the_texts_of_a_hub_are_there_however_it_is_cut(make_graph: MakeGraph) -> None:
    graph = make_graph(a="\n".join(FACTS) + '\ne:hub dcterms:description "A hub."@en .')
    assert [t.object.label for t in cut(graph) if is_description(t)] == ["A hub."]


def test_what_is_read_when_the_time_ends_are_the_small_groups(
    make_graph: MakeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "LIMIT", 5_000)
    monkeypatch.setattr(facts, "_EVERY", 8)
    graph = make_graph(a="\n".join(FACTS))
    looks = iter(range(99))
    found = cut(graph, Deadline.after(60, lambda: next(looks) >= 1))
    assert groups(found)["treats", False] == 3 and groups(found)["has symptom", True] == 1
    assert len(found) == 7


def test_facts_of_unnamed_subjects_take_no_share(
    make_graph: MakeGraph, caplog: pytest.LogCaptureFixture
) -> None:
    many = " ".join(f"[ e:p e:hub ] e:q e:x{i} ." for i in range(30))
    graph = make_graph(a=many + " ".join(f"e:i{i} e:p e:hub ." for i in range(20)))
    with caplog.at_level("INFO", "kg.local.facts"):
        found = graph.triples(E + "hub", "en", Deadline.after(60))
    assert found.complete and len(found.triples) == 20
    assert "30 statements on unnamed nodes left out" in caplog.text


def test_a_fact_of_a_thing_about_itself_is_one(make_graph: MakeGraph) -> None:
    (found,) = (
        make_graph(a="e:hub e:p e:hub .").triples(E + "hub", "en", Deadline.after(60)).triples
    )
    assert found.subject == found.object


@given(st.lists(st.integers(1, 50)).map(sorted), st.integers(0, 200))
def test_shares_are_whole_or_alike_and_use_all_there_is(sizes: list[int], most: int) -> None:
    shares = fair_shares(sizes, most)
    assert sum(shares) == min(most, sum(sizes)) and len(shares) == len(sizes)
    cut_ones = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    assert max(shares, default=0) - min(cut_ones, default=max(shares, default=0)) <= 1

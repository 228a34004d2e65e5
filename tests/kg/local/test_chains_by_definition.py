"""Chains of random graphs beside their definition: the same ones, numbers, scores and order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.local import LocalGraph
from kg.model import Entity, Relation, Source, Triple
from kg.sources import import_source
from tests.chains import E, ask, flat, shown, sources, worth
from tests.fake_graph import FakeGraph
from tests.kg.conftest import PREFIXES

GRAPHS = 80
OTHER = "http://example.com/"


def random_facts(number: int) -> Iterator[tuple[str, str, str, int]]:
    """A small graph: subject, relation, object, and the sources that state it (1, 2 or 3)."""
    random = Random(number)
    nodes = [f"g{number}n{place}" for place in range(random.randint(2, 8))]
    facts = {
        (random.choice(nodes), random.choice("rs"), random.choice(nodes)): random.randint(1, 3)
        for _ in range(random.randint(1, 5 * len(nodes)))
    }
    for fact, stated in sorted(facts.items()):
        yield (*fact, stated)


@pytest.fixture(scope="module")
def random_graphs(tmp_path_factory: pytest.TempPathFactory) -> tuple[LocalGraph, FakeGraph]:
    """Random graphs that do not touch each other, and the same in memory.

    The second source has ids of its own for every node whose number is even.
    """
    folder = tmp_path_factory.mktemp("random")
    texts = {1: [], 2: []}
    for subject, relation, value, stated in _random():
        for bit, text in texts.items():
            if stated & bit:
                text.append(f"<{_iri(subject, bit)}> e:{relation} <{_iri(value, bit)}> .")
    nodes = sorted({end for fact in _random() for end in (fact[0], fact[2])})
    texts[2] += [f"<{_iri(n, 1)}> skos:exactMatch <{_iri(n, 2)}> ." for n in nodes]
    for bit, text in texts.items():
        (folder / f"{bit}.ttl").write_text(PREFIXES + "\n".join(text), encoding="utf-8")
        import_source(folder / "graph", "rdf", [folder / f"{bit}.ttl"], f"source{bit}")
    graph = LocalGraph(folder / "graph")
    ids = graph.ids([_iri(node, 1) for node in nodes])
    entities = {node: Entity(_iri(node, 1), node, concept=ids[_iri(node, 1)][0]) for node in nodes}
    return graph, FakeGraph(*(_triple(fact, entities) for fact in _random()))


def _random() -> Iterator[tuple[str, str, str, int]]:
    for number in range(GRAPHS):
        yield from random_facts(number)


def _iri(node: str, bit: int) -> str:
    return (OTHER if bit == 2 and int(node[-1]) % 2 == 0 else E) + node


def _triple(fact: tuple[str, str, str, int], entities: Mapping[str, Entity]) -> Triple:
    subject, relation, value, stated = fact
    known = [Source(f"source{bit}", f"source{bit}") for bit in (1, 2) if stated & bit]
    predicate = Relation(E + relation, relation)
    return Triple(entities[subject], predicate, entities[value], tuple(known))


@settings(max_examples=300, deadline=None)
@given(
    number=st.integers(0, GRAPHS - 1),
    entities=st.lists(st.integers(0, 8), min_size=1, max_size=5),
    named=st.sets(st.integers(0, 7), max_size=2),
    nested=st.sets(st.integers(0, 7), max_size=2),
    apart=st.sets(st.frozensets(st.integers(0, 7), min_size=1, max_size=2), max_size=4),
    hops=st.integers(1, 5),
    limits=st.sampled_from([(200, 12), (1000, 1000), (7, 2), (40, 3)]),
    valued=st.sampled_from([worth, flat]),
)
def test_the_same_as_by_definition(
    random_graphs: tuple[LocalGraph, FakeGraph],
    number: int,
    entities: list[int],
    named: set[int],
    nested: set[int],
    apart: set[frozenset[int]],
    hops: int,
    limits: tuple[int, int],
    valued: object,
) -> None:
    def iris(nodes: Collection[int]) -> frozenset[str]:
        return frozenset(f"{E}g{number}n{node}" for node in nodes)

    query = {
        "worth": valued,
        "named": iris(named),
        "nested": iris(nested),
        "apart": frozenset(map(iris, apart)),
        "hops": hops,
        "keep": limits[0],
        "per_pair": limits[1],
    }
    names = " ".join(f"g{number}n{node}" for node in entities)
    real, naive = (ask(graph, names, **query) for graph in random_graphs)
    assert real.found == naive.found
    told = [[(shown(p), p.score, sources(p)) for p in one.chains] for one in (real, naive)]
    assert told[0] == told[1]

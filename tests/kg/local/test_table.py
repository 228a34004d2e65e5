"""The tables and integer arrays under a source's index, beside naive ones."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import KgError
from kg.local.adjacency import Adjacency, AdjacencyWriter
from kg.local.cards import choose, language_rank
from kg.local.segment import prefix_key
from kg.local.table import Table, TableWriter, text_key, text_keys

Folder = pytest.TempPathFactory
fast = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)


@fast
@given(
    st.lists(st.tuples(st.integers(0, 2**64 - 1), st.binary(max_size=20)), max_size=60),
    st.data(),
)
def test_a_table_gives_back_what_it_was_given(
    tmp_path_factory: Folder, entries: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("table")
    keep = data.draw(st.lists(st.booleans(), min_size=len(entries), max_size=len(entries)))
    writer = TableWriter(folder, "t")
    for key, payload in entries:
        writer.add(key, payload)
    places = writer.finish(np.array(keep, dtype=bool))
    kept = [entry for entry, stays in zip(entries, keep, strict=True) if stays]
    table = Table(folder, "t")
    assert len(table) == len(places) == len(set(kept))
    assert [entries[i] for i in places] == [
        (int(key), payload)
        for key, payload in zip(table.keys, table.slice(0, len(table)), strict=True)
    ]
    for key, _ in entries:
        expected = sorted({payload for other, payload in kept if other == key})
        assert sorted(table.find(key)) == expected
        assert table.count_many(np.array([key], dtype=np.uint64)).tolist() == [len(expected)]
    absent = next(key for key in range(len(entries) + 1) if key not in dict(entries))
    assert table.find(absent) == []
    assert table.count_many(np.array([absent], dtype=np.uint64)).tolist() == [0]


def test_keys_are_stable() -> None:
    assert text_key("migraine") == text_keys(["migraine"])[0]
    assert text_key("migraine") == 0x8339755A1CAEB523
    assert text_key("") != text_key(" ")
    assert text_key("\udc80") != text_key("")  # a lone surrogate is a text too


@fast
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 300), st.integers(0, 9)), max_size=80))
def test_adjacency_beside_a_naive_one(
    tmp_path_factory: Folder, facts: list[tuple[int, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("adjacency")
    writer = AdjacencyWriter(folder)
    for subject, relation, value in facts:
        writer.edge(writer.node(f"n{subject}"), relation, writer.node(f"n{value}"))
    writer.finish(*writer.edges())
    adjacency = Adjacency(folder)
    nodes = {f"n{end}" for subject, _, value in facts for end in (subject, value)}
    assert len(adjacency.keys) == len(nodes)
    assert adjacency.number("n99") is None
    for node in nodes:
        number = adjacency.number(node)
        assert number is not None and adjacency.name(number) == node
        for edges, expected in (
            (adjacency.out(number), {(r, f"n{o}") for s, r, o in facts if f"n{s}" == node}),
            (adjacency.into(number), {(r, f"n{s}") for s, r, o in facts if f"n{o}" == node}),
        ):
            found = [
                (int(r), adjacency.name(int(n)))
                for r, n in zip(edges.relations, edges.nodes, strict=True)
            ]
            assert len(found) == len(expected) and set(found) == expected
        both = len({f for f in facts if f"n{f[0]}" == node})
        both += len({f for f in facts if f"n{f[2]}" == node})
        assert adjacency.degrees(text_keys([node, "n99"])).tolist() == [both, 0]


def test_a_cut_keeps_the_first_edges(tmp_path: Path) -> None:
    writer = AdjacencyWriter(tmp_path)
    for value in range(50):
        writer.edge(writer.node("hub"), value % 3, writer.node(f"n{value}"))
    writer.finish(*writer.edges())
    adjacency = Adjacency(tmp_path)
    hub = adjacency.number("hub")
    assert hub is not None
    whole, part = adjacency.out(hub), adjacency.out(hub, 10)
    assert len(whole.nodes) == 50 and part.nodes.tolist() == whole.nodes[:10].tolist()


def test_more_nodes_than_the_arrays_can_number_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.local.adjacency._BITS", 4)
    writer = AdjacencyWriter(tmp_path)
    for value in range(5):
        writer.edge(writer.node("hub"), 0, writer.node(f"n{value}"))
    with pytest.raises(KgError, match="6 nodes are too many for one source"):
        writer.finish(*writer.edges())


@given(st.lists(st.text(max_size=12), min_size=2, max_size=2))
def test_prefix_keys_are_in_the_order_of_the_bytes(names: list[str]) -> None:
    one, other = (name.encode("utf-8", "replace").decode()[:8] for name in names)
    first, second = (struct.pack(">Q", prefix_key(name)) for name in (one, other))
    assert (first < second) == (
        one.encode()[:8].ljust(8, b"\0") < other.encode()[:8].ljust(8, b"\0")
    )


def test_language_ranks() -> None:
    tags = ["fr", "zh-Hant", "mul", "en-gb", "", "zh-CN", "en", "zh"]
    ordered = sorted(tags, key=lambda tag: language_rank(tag, "zh"))
    assert ordered == ["zh", "zh-CN", "zh-Hant", "", "en", "en-gb", "mul", "fr"]
    assert choose([], "en") is None

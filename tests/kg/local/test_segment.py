"""The tables under a source's index, and what Oxigraph must do for them."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad, Store

from kg.local.cards import choose, language_rank
from kg.local.table import Counts, Table, TableWriter, text_key, text_keys, write_counts
from kg.sources.curies import curie_of, iri_of_curie, readable_end


def test_oxigraph_yields_a_graph_grouped_by_subject(tmp_path: Path) -> None:
    store, graph = Store(str(tmp_path / "store")), NamedNode("urn:g")
    store.bulk_extend(
        Quad(NamedNode(f"urn:s{i % 97}"), NamedNode(f"urn:p{i % 3}"), NamedNode(f"urn:o{i}"), graph)
        for i in range(3000)
    )
    runs: list[str] = []
    for quad in store.quads_for_pattern(None, None, None, graph):
        if not runs or runs[-1] != str(quad.subject):
            runs.append(str(quad.subject))
    assert len(runs) == len(set(runs)) == 97


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.binary(max_size=20)), max_size=60))
def test_a_table_gives_back_what_it_was_given(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[int, bytes]]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    writer = TableWriter(folder, "t")
    for key, payload in entries:
        writer.add(key, payload)
    writer.finish()
    table = Table(folder, "t")
    for key, _ in entries:
        assert table.find(key) == [payload for other, payload in entries if other == key]
    absent = next(key for key in range(len(entries) + 1) if key not in dict(entries))
    assert table.find(absent) == []
    counts = array("Q", [key for key, _ in entries])
    write_counts(folder, "c", counts)
    keys = np.array([key for key, _ in entries] + [absent], dtype=np.uint64)
    expected = [counts.count(key) for key, _ in entries] + [0]
    assert Counts(folder, "c").of(keys).tolist() == expected


def test_keys_are_stable() -> None:
    assert text_key("migraine") == text_keys(["migraine"])[0]
    assert text_key("") != text_key(" ")


@pytest.mark.parametrize(
    ("iri", "curie"),
    [
        ("http://purl.obolibrary.org/obo/HP_0001166", "HP:0001166"),
        ("https://omim.org/entry/154700", "OMIM:154700"),
        ("http://www.orpha.net/ORDO/Orphanet_558", "ORPHA:558"),
        ("https://go.drugbank.com/drugs/DB00669", "DrugBank:DB00669"),
        ("https://www.deciphergenomics.org/syndrome/1", "DECIPHER:1"),
        ("https://identifiers.org/mesh:D008881", "mesh:D008881"),
        ("http://www.wikidata.org/entity/Q133823", "wikidata:Q133823"),
        ("http://example.org/x", None),
    ],
)
def test_curies(iri: str, curie: str | None) -> None:
    assert curie_of(iri) == curie
    if curie and curie.startswith(("HP:", "OMIM:", "ORPHA:", "DECIPHER:")):
        assert iri_of_curie(curie) == iri


def test_readable_ends_and_odd_identifiers() -> None:
    assert readable_end("http://e/x#hasSideEffect") == "has side effect"
    assert readable_end("http://e/x/DOID_6364") == "DOID:6364"
    assert readable_end("http://e/") and readable_end("urn:x")
    assert NamedNode(iri_of_curie('a b"<>')).value.startswith("urn:graphcite:term:")


def test_language_ranks() -> None:
    tags = ["fr", "zh-Hant", "mul", "en-gb", "", "zh-CN", "en", "zh"]
    ordered = sorted(tags, key=lambda tag: language_rank(tag, "zh"))
    assert ordered == ["zh", "zh-CN", "zh-Hant", "", "en", "en-gb", "mul", "fr"]
    assert choose([], "en") is None

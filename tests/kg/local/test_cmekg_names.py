"""Chinese names over the whole CMeKG: spellings, scripts, whole texts, counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.info import graph_info

soon = Deadline.after(600)
NOTES = (
    "患者男，65岁，因反复咳嗽、咳痰伴气促十余年加重三天入院。既往有高血压、2型糖尿病、冠心病病史，"
    "长期服用二甲双胍、氨氯地平和阿司匹林。查体：双肺可闻及哮鸣音，双下肢水肿。"
)


@pytest.fixture(scope="module")
def graph(cmekg_home: Path) -> Iterator[LocalGraph]:
    opened_graph = LocalGraph(cmekg_home / "graphs" / "medical")
    yield opened_graph
    opened_graph.close()


def labels(graph: LocalGraph, name: str) -> list[str]:
    return [candidate.label for candidate in graph.candidates(name, "zh", soon)]


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("格林-巴利综合征", "格林—巴利综合征"),
        ("Ⅱ型糖尿病", "II型糖尿病"),
        ("2型糖尿病", "II型糖尿病"),
        ("干扰素α-2b", "干扰素α—2b"),
        # traditional characters over simplified names
        ("氣喘", "气喘"),
        ("高血壓", "高血压"),
        ("癲癇", "癫痫"),
        ("頭痛", "头痛"),
        ("發熱", "发热"),
        ("頭髮脫落", "头发脱落"),
        ("乾燥綜合徵", "干燥综合征"),
    ],
)
def test_a_spelling_finds_the_graphs_own(graph: LocalGraph, asked: str, known: str) -> None:
    found = graph.candidates(asked, "zh", soon)
    assert known in [candidate.label for candidate in found]
    assert all(candidate.how in ("exact", "folded") for candidate in found)


def test_two_entities_of_one_folded_name_are_both_offered_and_not_mixed(graph: LocalGraph) -> None:
    wide, narrow = "维生素Ｃ咀嚼片", "维生素C咀嚼片"
    assert labels(graph, wide) == [wide, narrow] and labels(graph, narrow) == [narrow, wide]
    first, second = (candidate.iri for candidate in graph.candidates(wide, "zh", soon))
    for iri, other in ((first, second), (second, first)):
        ends = {
            end.iri
            for triple in graph.triples(iri, "zh", soon).triples
            for end in (triple.subject, triple.object)
        }
        assert iri in ends and other not in ends


def test_a_short_name_does_not_cut_a_longer_word(graph: LocalGraph) -> None:
    found = graph.mentions("acarbose和arb能一起吃吗", soon)
    assert not [m for m in found if m.start < len("acarbose") and m.text != "acarbose"]


def test_every_name_in_a_long_text_is_found_with_its_place(graph: LocalGraph) -> None:
    text = NOTES * 4
    found = graph.mentions(text, soon)
    assert all(text[m.start : m.end] == m.text for m in found)
    assert {m.text for m in found} >= {
        "咳嗽", "咳痰", "高血压", "2型糖尿病", "糖尿病", "冠心病", "二甲双胍", "氨氯地平", 
        "阿司匹林", "哮鸣音", "双下肢水肿", "水肿",
    }  # fmt: skip


def test_nearly_every_fact_has_an_aspect(cmekg_home: Path) -> None:
    info = graph_info(cmekg_home / "graphs" / "medical")
    assert sum(relation.facts for relation in info.relations) == 938_006
    assert info.share_without_aspect < 0.05
    assert {source.name: source.licence for source in info.sources}["cmekg"]

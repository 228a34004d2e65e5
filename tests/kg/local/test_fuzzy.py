"""Misspelled names are found; words that are right, though no name, are left alone."""

from __future__ import annotations

import pytest

from kg.deadline import Deadline
from kg.local import fuzzy
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
GRAPH = """
e:migraine rdfs:label "Migraine" ; rdfs:comment "An episodic cephalgia with photophobia." .
e:diabetes rdfs:label "Diabetes" . e:dm rdfs:label "Diabetes mellitus" .
e:flounder rdfs:label "Flounder" . e:hydralazine rdfs:label "Hydralazine" .
e:cephalalgia rdfs:label "Cephalalgia" . e:headache rdfs:label "Headache" .
e:pneumonia rdfs:label "Pneumonia" . e:gout rdfs:label "Gout" . e:mace rdfs:label "MIGRAN" .
"""


@pytest.mark.parametrize(
    ("text", "spans", "label"),
    [
        ("treatment of migrane", ["migrane"], "Migraine"),
        ("what is diabeties", ["diabeties"], "Diabetes"),
        ("diabetis symptoms", ["diabetis"], "Diabetes"),
        ("diabetus", ["diabetus"], "Diabetes"),
        ("diabeties mellitus?", ["diabeties mellitus", "diabeties"], "Diabetes mellitus"),
        ("imgraine", ["imgraine"], "Migraine"),
        ("pnuemonai in adults", ["pnuemonai"], "Pneumonia"),
    ],
)
def test_misspellings_are_found(
    make_graph: MakeGraph, soon: Deadline, text: str, spans: list[str], label: str
) -> None:
    graph = make_graph(a=GRAPH)
    assert [mention.text for mention in graph.mentions(text, soon)] == spans
    found = graph.candidates(spans[0], "en", soon)
    assert [(one.label, one.how) for one in found] == [(label, "fuzzy")]
    assert 0.5 < found[0].score < 0.8


@pytest.mark.parametrize(
    "text",
    [
        "the founder of it",  # an English word
        "cephalgia",  # a word of a description
        "hydroxyzine",  # a look-alike, three edits away
        "gaut goutt",  # too short to be sure, or only one letter more than a short word
        "which migrants",
        "What are the treatments, symptoms and causes for children?",
        "headaches",  # an exact name after folding
    ],
)
def test_right_words_are_left_alone(make_graph: MakeGraph, soon: Deadline, text: str) -> None:
    graph = make_graph(a=GRAPH)
    how = [c.how for m in graph.mentions(text, soon) for c in graph.candidates(m.text, "en", soon)]
    assert "fuzzy" not in how or text.startswith("gaut")
    assert not graph.candidates("cephalgia", "en", soon)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("nephrotoxicity", "Neurotoxicity"),
        ("phonophobia", "Photophobia"),
        ("hypomania", "Hypotonia"),
        ("asterixis", "Arteritis"),
        ("thrombus", "Thrombin"),
        ("hypercalcemia", "Hypocalcemia"),
        ("diuretic", "Diuresis"),
    ],
)
def test_another_word_is_no_misspelling(
    make_graph: MakeGraph, soon: Deadline, word: str, name: str
) -> None:
    graph = make_graph(a=f'e:x rdfs:label "{name}" .')
    assert graph.candidates(word, "en", soon) == () and graph.mentions(word, soon) == ()


def test_only_where_no_exact_name_stands(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:x rdfs:label "Migraine aura" . e:y rdfs:label "migrane aura" .')
    assert [m.text for m in graph.mentions("migrane aura", soon)] == ["migrane aura"]
    assert [c.iri for c in graph.candidates("migrane aura", "en", soon)] == [E + "y"]


def test_a_misspelling_in_the_graph_does_not_shield_others(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    many = "\n".join(f'e:s{i} rdfs:label "kind{i}x syndrome" .' for i in range(60))
    graph = make_graph(a=many + 'e:m rdfs:label "Marfan syndrome" . e:o rdfs:label "odd sydrome" .')
    assert [m.text for m in graph.mentions("Marfan sydrome", soon)] == ["Marfan sydrome"]


CHINESE = """
e:ra rdfs:label "类风湿性关节炎"@zh . e:joint rdfs:label "关节炎"@zh .
e:gastritis rdfs:label "急性胃炎"@zh . e:parkinson rdfs:label "帕金森氏病"@zh .
e:t2 rdfs:label "二型糖尿病"@zh . e:foot rdfs:label "糖尿病足"@zh . e:dm rdfs:label "糖尿病"@zh .
e:htn rdfs:label "高血压病"@zh . e:bp rdfs:label "高血压"@zh .
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("类风湿姓关节炎怎么治", ["类风湿姓关节炎", "关节炎"]),
        ("帕金深氏病", ["帕金深氏病"]),
        ("急性肺炎", []),
        ("慢性胃炎", []),
        ("一型糖尿病", ["糖尿病"]),
        ("糖尿病的症状", ["糖尿病"]),
        ("高血压患者", ["高血压"]),
    ],
)
def test_chinese_slips(make_graph: MakeGraph, soon: Deadline, text: str, names: list[str]) -> None:
    graph = make_graph(a=CHINESE)
    assert [mention.text for mention in graph.mentions(text, soon)] == names


def test_chinese_candidates(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=CHINESE)
    (found,) = graph.candidates("类风湿姓关节炎", "zh", soon)
    assert (found.label, found.how) == ("类风湿性关节炎", "fuzzy")
    assert found.score == pytest.approx(0.8 * 6 / 7, abs=1e-3)


def test_nothing_is_searched_after_the_deadline(make_graph: MakeGraph) -> None:
    graph = make_graph(a=GRAPH + CHINESE)
    late = Deadline.after(0)
    assert graph.mentions("migrane 类风湿姓关节炎", late) == graph.mentions("关节炎", late)[
        :0
    ] + tuple(m for m in graph.mentions("migrane 类风湿姓关节炎", late) if m.text == "关节炎")


def test_without_the_english_list_the_graph_decides(
    make_graph: MakeGraph, soon: Deadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "founder" in fuzzy.english_words()
    fuzzy.english_words.cache_clear()
    monkeypatch.setattr(fuzzy, "find_spec", lambda name: None)
    graph = make_graph(a=GRAPH)
    assert [m.text for m in graph.mentions("treatment of migrane", soon)] == ["migrane"]
    fuzzy.english_words.cache_clear()

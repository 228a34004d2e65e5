"""Names in a text: spellings of one name meet, words that only look like a name do not."""

from __future__ import annotations

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.names import fits
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
GENES = "\n".join(
    f'e:gene{name} a e:Gene ; rdfs:label "{name}" .'
    for name in ("WAS", "CAT", "REST", "SET", "KIT", "MET", "AR", "1", "T3")
)
DISEASES = """
e:copd rdfs:label "chronic obstructive pulmonary disease" ; skos:altLabel "COPD" .
e:leukaemia rdfs:label "acute lymphoblastic leukaemia" ; skos:altLabel "ALL" .
e:root rdfs:label "All" .
e:sbma rdfs:label "spinal and bulbar muscular atrophy" ; oio:hasExactSynonym "SBMA" .
"""


def mentioned(graph: LocalGraph, text: str, deadline: Deadline) -> list[str]:
    found = graph.mentions(text, deadline)
    assert all(text[m.start : m.end] == m.text for m in found)
    assert list(found) == sorted(found, key=lambda m: (m.start, -m.end))
    return [mention.text for mention in found]


def linked(graph: LocalGraph, name: str, deadline: Deadline) -> set[str]:
    return {c.iri.removeprefix(E) for c in graph.candidates(name, "en", deadline)}


def test_words_that_genes_are_called_by(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=GENES + DISEASES)
    assert mentioned(graph, "Was the cat at rest when 1 kit was met?", soon) == []
    assert mentioned(graph, "Which phenotypes go with WAS?", soon) == ["WAS"]
    assert linked(graph, "WAS", soon) == {"geneWAS"} and linked(graph, "was", soon) == set()
    assert mentioned(graph, "what is copd", soon) == ["copd"]
    assert mentioned(graph, "T3 is low", soon) == mentioned(graph, "T3 is bad", soon) == ["T3"]
    assert mentioned(graph, "What causes ALL?", soon) == ["ALL"]
    assert linked(graph, "ALL", soon) == {"leukaemia"}
    assert mentioned(graph, "What are all the causes? All of them.", soon) == []
    assert mentioned(graph, "WHAT ABOUT ALL THE REST, WAS IT COPD", soon) == ["COPD"]
    asked = "spinal and bulbar muscular atrophy (SBMA): what causes SBMA?"
    assert mentioned(graph, asked, soon) == ["spinal and bulbar muscular atrophy", "SBMA", "SBMA"]
    assert mentioned(graph, "1 a 2 b A B", soon) == []


SPELLINGS = {
    "alzheimer": (
        "Alzheimer's disease", "Alzheimer\u2019s disease", "Alzheimer\u02bcs disease",
        "Alzheimer\u00b4s disease", "Alzheimers disease", "Alzheimer disease", "ALZHEIMER DISEASE",
    ),
    "sjogren": (
        "Sjögren\u2019s syndrome", "Sjo\u0308gren syndrome", "Sjogren syndrome",
        "sjogren's syndrome",
    ),
    "barts": ("Hb Barts hydrops fetalis", "Hb Bart's hydrops fetalis"),
    "cocardes": ("Erythrokeratoderma ''en cocardes''", "erythrokeratoderma en cocardes"),
    "synuclein": ("alpha-synuclein", "α-synuclein", "Alpha synuclein"),
    "il6": ("IL\u20116", "IL-6", "il 6"),
}  # fmt: skip
SPELLED = r"""
e:alzheimer rdfs:label "Alzheimer's disease" . e:sjogren rdfs:label "Sjögren syndrome" .
e:barts rdfs:label "Hb Bart's hydrops fetalis" .
e:cocardes rdfs:label "Erythrokeratoderma ''en cocardes''" .
e:synuclein rdfs:label "α-synuclein" . e:il6 rdfs:label "IL-6" .
"""


def test_spellings_of_one_name_meet(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=SPELLED)
    for key, names in SPELLINGS.items():
        for name in names:
            assert linked(graph, name, soon) == {key}, name
            # a window ends with a word, so closing quotes stay outside
            shown = mentioned(graph, f"What about {name}, then?", soon)
            assert [one.strip("'") for one in shown] == [name.strip("'")]
    shown = graph.candidates("Alzheimer\u2019s disease", "en", soon)[0]
    assert (shown.label, shown.how, shown.score) == ("Alzheimer's disease", "folded", 0.95)


CHINESE = """
e:gbs rdfs:label "格林\u2014巴利综合征"@zh . e:t2 rdfs:label "II型糖尿病"@zh .
e:vc1 rdfs:label "维生素C咀嚼片"@zh . e:vc2 rdfs:label "维生素Ｃ咀嚼片"@zh .
e:ifn rdfs:label "干扰素α-2b"@zh . e:acarbose rdfs:label "acarbose"@zh . e:arb rdfs:label "arb"@zh .
e:pr rdfs:label "短P-R间期"@zh . e:dm rdfs:label "糖尿病"@zh . e:asthma rdfs:label "气喘"@zh .
e:htn rdfs:label "高血压"@zh . e:epilepsy rdfs:label "癫痫"@zh . e:headache rdfs:label "头痛"@zh .
e:migraine rdfs:label "偏头痛"@zh . e:fever rdfs:label "发热"@zh . e:hair rdfs:label "头发脱落"@zh .
e:dry rdfs:label "干燥综合征"@zh . e:trad rdfs:label "過敏性鼻炎"@zh-Hant .
e:pressure rdfs:label "血压"@zh . e:short rdfs:label "痛"@zh .
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("格林-巴利综合征怎么治疗", ["格林-巴利综合征"]),
        ("Ⅱ型糖尿病", ["Ⅱ型糖尿病", "糖尿病"]),
        ("2型糖尿病", ["2型糖尿病", "糖尿病"]),
        ("维生素Ｃ咀嚼片", ["维生素Ｃ咀嚼片"]),
        ("干扰素α-2b的副作用", ["干扰素α-2b"]),
        ("acarbose和arb", ["acarbose", "arb"]),
        ("短P-R间期", ["短P-R间期"]),
        ("氣喘、高血壓、癲癇", ["氣喘", "高血壓", "血壓", "癲癇"]),
        ("頭痛、發熱、頭髮脫落", ["頭痛", "發熱", "頭髮脫落"]),
        ("乾燥綜合徵是什么", ["乾燥綜合徵"]),
        ("过敏性鼻炎", ["过敏性鼻炎"]),
        ("偏头痛怎么治疗？", ["偏头痛", "头痛"]),
        ("一身都疼痛", []),
    ],
)
def test_chinese_names(make_graph: MakeGraph, soon: Deadline, text: str, names: list[str]) -> None:
    graph = make_graph(a=CHINESE)
    assert mentioned(graph, text, soon) == names


def test_entities_under_one_folded_name_are_all_offered(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(a=CHINESE)
    both = graph.candidates("维生素Ｃ咀嚼片", "zh", soon)
    assert [(c.iri.removeprefix(E), c.how) for c in both] == [("vc2", "exact"), ("vc1", "folded")]
    assert graph.candidates("糖尿病", "zh", soon)[0].how == "exact"
    assert graph.candidates("高血壓", "zh", soon)[0].label == "高血压"


def test_windows_that_cut_a_word_are_dropped(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:x rdfs:label "状有"@zh . e:y rdfs:label "病的"@zh .')
    assert mentioned(graph, "糖尿病的症状有哪些", soon) == []


def test_what_a_prefix_makes_another_thing_of_is_not_found(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    names = ("风湿关节炎", "关节炎", "类风湿性关节炎", "头痛")
    turtle = "\n".join(f'e:n{n} rdfs:label "{name}"@zh .' for n, name in enumerate(names))
    found = mentioned(make_graph(a=turtle), "类风湿关节炎和头痛", soon)
    assert found == ["头痛"]


def test_candidates_best_first(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a="""
        e:label rdfs:label "Cold" . e:busy rdfs:label "Cold" ; e:p e:a, e:b .
        e:exact rdfs:label "X" ; oio:hasExactSynonym "cold" .
        e:broad rdfs:label "Y" ; oio:hasBroadSynonym "cold" .
        e:plural rdfs:label "Colds" .
        """
    )
    found = [(c.iri.removeprefix(E), c.score, c.how) for c in graph.candidates("cold", "en", soon)]
    assert found == [
        ("busy", 1.0, "exact"),
        ("label", 1.0, "exact"),
        ("exact", 0.95, "exact"),
        ("plural", 0.95, "folded"),
        ("broad", 0.9, "exact"),
    ]
    many = make_graph(a="\n".join(f'e:n{i} rdfs:label "gout" .' for i in range(30)))
    assert len(many.candidates("gout", "en", soon)) == 20


def test_relations_types_and_datasets_are_not_linked(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a="""
        e:sees rdfs:label "sees something" . e:a e:sees e:b . gc:Disease rdfs:label "disease" .
        <http://example.org/> a owl:Ontology ; rdfs:label "my ontology" .
        e:p a owl:ObjectProperty ; rdfs:label "unused relation" .
        """
    )
    asked = "disease sees something my ontology unused relation"
    assert mentioned(graph, asked, soon) == []


def test_names_of_several_sources_are_one_index(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:x rdfs:label "gout" .', b='e:y rdfs:label "Gout" . e:x e:p e:z .')
    assert [c.iri for c in graph.candidates("gout", "en", soon)] == [E + "x", E + "y"]
    assert mentioned(graph, "gout", soon) == ["gout"]


@pytest.mark.parametrize(
    ("span", "folded", "name", "expected"),
    [
        ("was", "was", "WAS", False),
        ("WAS", "was", "WAS", True),
        ("copd", "copd", "COPD", True),
        ("ar", "ar", "AR", False),
        ("t3", "t3", "T3", True),
        ("a", "a", "A", False),
        ("12", "12", "12", False),
        ("all", "all", "All", False),
        ("vitamin A", "vitamin a", "Vitamin A", True),
        ("痛", "痛", "痛", False),
    ],
)
def test_fits(span: str, folded: str, name: str, expected: bool) -> None:
    assert fits(span, folded, name) is expected


def test_empty_and_long_texts(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=DISEASES)
    for text in ("", "   ", "?!…", "\u200b"):
        assert graph.mentions(text, soon) == () and graph.candidates(text, "en", soon) == ()
    long = "what is copd and then something more " * 550
    assert mentioned(graph, long, soon).count("copd") == 550


def test_punctuation_in_names_ends_nothing(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=r'e:x rdfs:label "O\"Brien <b> \\ sign }" .')
    assert graph.candidates('O"Brien <b> \\ sign }', "en", soon)[0].how == "exact"
    assert graph.candidates('") } DROP', "en", soon) == ()


LUPUS = """
e:sle rdfs:label "Systemic lupus erythematosus"@en ; skos:altLabel "disseminated lupus"@en .
e:als rdfs:label "amyotrophic lateral sclerosis"@en .
e:als2 rdfs:label "acute lung something"@en .
e:ahb rdfs:label "abnormality of the hip bone"@en .
e:lupus rdfs:label "系统性红斑狼疮"@zh .
e:lupin rdfs:label "lupin allergy"@en .
e:treats rdfs:label "lupus relation"@en . e:x e:treats e:sle .
"""


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lupus", []),
        ("systemic lup", [("sle", "prefix")]),
        ("SYSTEMIC-LUPUS", [("sle", "prefix")]),
        ("systemic lupus erythematosus", [("sle", "exact")]),
        ("lup", [("lupin", "prefix")]),
        ("l", [("lupin", "prefix")]),
        ("系统", [("lupus", "prefix")]),
        ("系統性紅", [("lupus", "prefix")]),
        ("红斑", []),
        ("", []),
        ("???", []),
        ("SLE", [("sle", "abbreviation")]),
        ("sle", []),
        ("AHB", [("ahb", "abbreviation")]),
        ("ALS", [("als", "abbreviation"), ("als2", "abbreviation")]),
        ("disseminated lupsu", [("sle", "fuzzy")]),
    ],
)
def test_what_somebody_has_typed_so_far(
    make_graph: MakeGraph, soon: Deadline, typed: str, found: list[tuple[str, str]]
) -> None:
    graph = make_graph(a=LUPUS)
    told = [(c.iri.removeprefix(E), c.how) for c in graph.search(typed, "en", soon)]
    assert sorted(told) == found
    assert all(0 < c.score <= 1 for c in graph.search(typed, "en", soon))


def test_an_abbreviation_that_a_name_states_goes_before_one_that_its_initials_make(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(a=LUPUS + 'e:lipid rdfs:label "ALS" .')
    assert [(c.iri, c.how) for c in graph.candidates("ALS", "en", soon)] == [(E + "lipid", "exact")]


def test_initials_alone_are_no_mention(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=LUPUS)
    assert graph.mentions("ANA positive, AHB normal: is it SLE?", soon) == ()
    assert [m.text for m in graph.mentions("Is systemic lupus erythematosus it?", soon)] == [
        "systemic lupus erythematosus"
    ]

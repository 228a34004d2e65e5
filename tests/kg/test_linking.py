"""Which entity a mention is taken for: order of trust, context, meaning, origin, time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kg.deadline import Deadline
from kg.errors import DeadlineExceeded
from kg.linking import LinkOptions, link
from kg.mentions import mentions_of_terms, open_spans
from kg.model import Candidate, Entity, LinkedEntity, Mention
from kg.reading import Reading
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.conftest import MakeGraph

MI = entity("Myocardial infarction", type="Disease")
HEART = entity("Heart", type="Anatomy")
PAIN = entity("头部及眼后部疼痛")
HEAD = entity("头部")
GOUT = entity("Gout", type="Disease")
ALLOPURINOL = entity("Allopurinol", type="Medicine")
GOUT_GENE = Entity("http://e/gout-gene", "Gout", ("GOUT gene",), "Gene")

GRAPH = FakeGraph(
    fact(MI, "affects", HEART),
    fact(PAIN, "部位", HEAD),
    fact(ALLOPURINOL, "interacts with", GOUT),
    fact(GOUT_GENE, "related to", entity("Kidney")),
    fact(GOUT_GENE, "related to", entity("Liver")),
)
NEAR = {
    "heart attack": (MI, 0.91),
    "attack": (entity("Panic attack"), 0.8),
    "heart": (HEART, 1.0),
    "cardiac arrest": (MI, 0.72),
    "gout": (MI, 0.95),
}


class FakeVectors:
    """Nearest names from a table; `asked` keeps what was looked up."""

    delta = 0.9

    def __init__(self) -> None:
        self.asked: list[str] = []

    def nearest(
        self, names: Sequence[str], language: str, most: int, deadline: Deadline
    ) -> list[tuple[Candidate, ...]]:
        self.asked += names
        found = (NEAR.get(name.lower()) for name in names)
        return [(_candidate(*one),) if one else () for one in found]


def _candidate(node: Entity, score: float) -> Candidate:
    return Candidate(node.iri or "", node.label, score, "embedding", node.type)


def linked(
    text: str,
    *aspects: str,
    options: LinkOptions | None = None,
    mentions: Sequence[Mention] | None = None,
    deadline: Deadline | None = None,
) -> tuple[LinkedEntity, ...]:
    reading = Reading(GRAPH, "en", deadline or Deadline.after(60))
    found = reading.mentions(text) if mentions is None else mentions
    if options is not None and options.vectors is not None and mentions is None:
        found = (*found, *open_spans(text, found))
    return link(text, found, aspects, reading, options or LinkOptions())


def names(found: Sequence[LinkedEntity]) -> list[str]:
    return [one.label for one in found]


COLDS = """
e:ill a gc:Disease ; rdfs:label "Common cold" ; skos:altLabel "cold" ; gc:hasSymptom e:cough .
e:low a e:Environment ; rdfs:label "Cold temperature" ; skos:altLabel "Cold" ; e:p e:skin, e:x .
e:copd a gc:Disease ; rdfs:label "Chronic obstructive lung disease" ; skos:altLabel "COLD" ;
  gc:hasSymptom e:breath . e:cough rdfs:label "Cough" . gc:treats rdfs:label "treats" .
e:medicine gc:treats e:ill, e:copd . e:Environment rdfs:label "Environment" .
"""


@pytest.mark.parametrize(
    ("text", "aspects", "iri"),
    [
        ("How is a cold treated?", ("treatment",), "ill"),
        ("What are the symptoms of cold?", ("symptom",), "ill"),
        ("I caught a cold", (), "ill"),
        ("Does cold weather cause chapped lips?", ("cause",), "low"),
        ("Is cold water bad for it?", (), "low"),
        ("I feel cold", (), "low"),
        ("What causes COLD?", ("cause",), "copd"),
        ("How is COLD treated?", ("treatment",), "copd"),
        ("WHAT ARE THE SYMPTOMS OF A COLD?", ("symptom",), "ill"),
        ("Is it COLD or flu?", (), "copd"),
    ],
)
def test_context_decides_between_homonyms(
    make_graph: MakeGraph, text: str, aspects: tuple[str, ...], iri: str
) -> None:
    reading = Reading(make_graph(a=COLDS), "en", Deadline.after(60))
    (found,) = link(text, reading.mentions(text), aspects, reading)
    ends = [one.iri.rpartition("/")[2] for one in (found, *found.candidates)]
    in_capitals = {"copd"} if "COLD" in text and not text.isupper() else set()
    assert ends[0] == iri and set(ends) == {"ill", "low"} | in_capitals


def test_an_everyday_word_is_no_illness_where_its_neighbour_says_so() -> None:
    ill = FakeGraph(fact(entity("Common cold", "cold", type="Disease"), "has symptom", HEAD))
    reading = Reading(ill, "en", Deadline.after(60))
    for text in ("Does cold weather hurt?", "Is cold water good?"):
        assert link(text, reading.mentions(text), (), reading) == ()
    (found,) = link("cold symptoms", reading.mentions("cold symptoms"), ("symptom",), reading)
    assert found.label == "Common cold"


GENES = "".join(
    f'e:{name} a e:Gene ; rdfs:label "{name}" ; e:p e:x . ' for name in ("WAS", "T3", "ANA")
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Which phenotypes go with WAS?", ["WAS"]),
        ("T3 is low", []),
        ("ANA positive", []),
        ("T3偏低怎么办", []),
        ("Which phenotypes go with T3?", ["T3"]),
        ("the ANA gene", ["ANA"]),
    ],
)
def test_what_a_laboratory_measures_is_no_gene(
    make_graph: MakeGraph, text: str, names: list[str]
) -> None:
    reading = Reading(make_graph(a=GENES), "en", Deadline.after(60))
    assert [one.label for one in link(text, reading.mentions(text), (), reading)] == names


def test_other_entities_of_the_text_decide() -> None:
    assert [one.iri for one in linked("gout")] == [GOUT_GENE.iri]  # it has more facts
    assert [one.iri for one in linked("allopurinol and gout")] == [ALLOPURINOL.iri, GOUT.iri]
    assert [one.iri for one in linked("gout expression")] == [GOUT_GENE.iri]


def test_meaning_comes_after_names_and_above_delta() -> None:
    vectors = FakeVectors()
    found = linked("Is a heart attack like cardiac arrest?", options=LinkOptions(vectors=vectors))
    assert [(one.mention, one.label, one.how) for one in found] == [
        ("heart attack", "Myocardial infarction", "embedding"),
        ("heart", "Heart", "exact"),
    ]
    assert "heart" not in vectors.asked  # the graph has that name
    options = LinkOptions(vectors=vectors, delta=0.7)
    found = linked("cardiac arrest", options=options)
    assert [(one.label, one.score) for one in found] == [("Myocardial infarction", 0.72)]
    assert linked("cardiac arrest", options=LinkOptions(vectors=vectors)) == ()


def test_without_vectors_open_words_are_not_linked() -> None:
    text = "a heart attack"
    mentions = (*Reading(GRAPH, "en", Deadline.after(9)).mentions(text), *open_spans(text, ()))
    assert names(linked(text, mentions=mentions)) == ["Heart"]


def test_equation_one_alone() -> None:
    options = LinkOptions(vectors=FakeVectors(), vectors_only=True)
    found = linked("gout in the heart", options=options)
    assert [(one.mention, one.label, one.how) for one in found] == [
        ("gout", "Myocardial infarction", "embedding"),
        ("heart", "Heart", "embedding"),
    ]
    assert linked("gout", options=LinkOptions(vectors_only=True)) == ()


def test_nested_names_when_asked_for() -> None:
    text = "头部及眼后部疼痛"
    assert names(linked(text)) == ["头部及眼后部疼痛"]
    assert names(linked(text, options=LinkOptions(nested=True))) == ["头部及眼后部疼痛", "头部"]


def test_the_question_goes_before_the_hypothesis() -> None:
    text = "gout and heart"
    mentions = [
        Mention("gout", 0, 4, "hypothesis"),
        Mention("heart", 9, 14, "hypothesis"),
        Mention("heart", 9, 14, "question"),
    ]
    found = linked(text, mentions=mentions)
    assert [(one.mention, one.origin) for one in found] == [
        ("heart", "question"),
        ("gout", "hypothesis"),
    ]


def test_terms_of_a_model_need_not_stand_in_the_text() -> None:
    text = "my big toe hurts"
    found = linked(text, mentions=mentions_of_terms(text, ["Allopurinol", "nonsense"]))
    assert names(found) == ["Allopurinol"]


def test_time_that_runs_out_keeps_what_is_linked() -> None:
    looks = iter([False, True, True, True])
    halfway = Deadline.after(60, lambda: next(looks))
    assert len(linked("gout and heart", deadline=halfway)) == 1
    with pytest.raises(DeadlineExceeded):
        linked("gout", deadline=Deadline.after(-1))

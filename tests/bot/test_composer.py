"""Whole composed answers, pinned; and: the checker supports whatever the composer writes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.answering.composer import compose
from bot.answering.phrases import ABSTENTION, is_abstention
from bot.citations.checker import check
from bot.citations.numbers import Numbers
from kg.aspects import ASPECTS
from kg.model import Candidate, Evidence, Relation, Retrieval
from tests.graphs import HPO, description, entity, item, literal, path, retrieval, triple

MIGRAINE = entity("migraine", "偏头痛")
SUMATRIPTAN = entity("sumatriptan", "舒马曲坦")
MARFAN = entity("Marfan syndrome")
TREATMENTS = [
    item(triple(SUMATRIPTAN, "treats", MIGRAINE, line="second")),
    item(triple(entity("ibuprofen"), "treats", MIGRAINE, line="first")),
    item(triple(entity("naproxen"), "treats", MIGRAINE, line="first-line")),
    item(triple(MIGRAINE, "hasTreatment", entity("propranolol"), population="children")),
]
SYMPTOM = item(triple(MIGRAINE, "hasSymptom", entity("nausea")))
DESCRIPTION = description(
    MIGRAINE, "A headache disorder with recurring attacks, e.g. weekly. It often affects one side."
)
DEPARTMENT = item(triple(MIGRAINE, "department", entity("neurology")))


def phenotype(name: str, frequency: str | None = None, relation: str = "hasPhenotype") -> Evidence:
    qualifiers = {"frequency": frequency} if frequency else {}
    return item(triple(MARFAN, relation, entity(name), HPO, **qualifiers))


def composed(asked: Retrieval) -> tuple[str, tuple[str, ...]]:
    """The answer and the remarks, after checking what must hold for every composed answer."""
    numbers = Numbers()
    result = compose(asked, numbers)
    if is_abstention(result.answer):
        assert result.cited == ()
        return result.answer, result.remarks
    items = {e.key: e for e in asked.evidence}
    evidence = {numbers.number(key): items[key] for key in result.cited}
    assert list(evidence) == list(range(1, len(evidence) + 1)), "dense, in order"
    sentences = check(result.answer, evidence)
    assert sentences
    assert [s for s in sentences if s.verdict != "supported"] == []
    assert all(re.search(r"\[\d+\][.。]$", line) for line in result.answer.split("\n\n"))
    return result.answer, result.remarks


def test_treatments_with_their_lines() -> None:
    asked = retrieval(
        "What are the treatments for migraine?",
        [*TREATMENTS, SYMPTOM, DESCRIPTION],
        MIGRAINE,
        aspects=("treatment",),
        found={"treatment": 63, "symptom": 200},
    )
    assert composed(asked) == (
        "As first-line treatments for migraine, the starter graph lists ibuprofen [1] and "
        "naproxen [2]. As a second-line treatment for migraine, it lists sumatriptan [3]. "
        "As another treatment for migraine, it lists propranolol (in children) [4].",
        ("Of 63 such facts in the graph, the 4 ranked highest were used.",),
    )


def test_what_a_medicine_treats() -> None:
    evidence = [
        item(triple(SUMATRIPTAN, "treats", MIGRAINE)),
        item(triple(entity("cluster headache"), "hasTreatment", SUMATRIPTAN)),
    ]
    asked = retrieval("What is it for?", evidence, SUMATRIPTAN, aspects=("treatment",))
    assert composed(asked) == (
        "The starter graph lists sumatriptan as a treatment for migraine [1] and "
        "cluster headache [2].",
        (),
    )


def test_signs_with_frequencies_and_what_was_not_found() -> None:
    evidence = [
        phenotype("Arachnodactyly", "16/21"),
        phenotype("Ectopia lentis", "60%"),
        phenotype("Tall stature", "Very frequent"),
        phenotype("Myopia"),
        phenotype("Seizure", "0/21", "lacksPhenotype"),
        phenotype("Pneumothorax", "Occasional"),
        phenotype("Emphysema", "1/50"),
        phenotype("Scoliosis", "Very frequent (80–99%)"),
        phenotype("Cataract", "1/1"),
    ]
    asked = retrieval("What are the signs?", evidence, MARFAN, aspects=("symptom",))
    assert composed(asked)[0] == (
        "As very frequent signs and symptoms of Marfan syndrome, the Human Phenotype Ontology "
        "lists Tall stature [1] and Scoliosis (80–99%) [2]. As frequent signs and symptoms of "
        "Marfan syndrome, it lists Arachnodactyly (16/21) [3] and Ectopia lentis (60%) [4]. As an "
        "occasional sign or symptom of Marfan syndrome, it lists Pneumothorax [5]. As a rare sign "
        "or symptom of Marfan syndrome, it lists Emphysema (1/50) [6]. As other signs and symptoms "
        "of Marfan syndrome, it lists Myopia [7] and Cataract (1/1) [8].\n\n"
        "In Marfan syndrome, the Human Phenotype Ontology lists as looked for and not found "
        "Seizure (0/21) [9]."
    )


def test_at_most_seven_items_in_a_sentence() -> None:
    evidence = [phenotype(f"Sign {letter}") for letter in "abcdefghi"]
    asked = retrieval("Signs?", evidence, MARFAN, aspects=("symptom",))
    assert composed(asked)[0] == (
        "As signs and symptoms of Marfan syndrome, the Human Phenotype Ontology lists Sign a [1], "
        "Sign b [2], Sign c [3], Sign d [4], Sign e [5], Sign f [6] and Sign g [7]. Among the "
        "signs and symptoms of Marfan syndrome, it also lists Sign h [8] and Sign i [9]."
    )


def test_a_sign_is_told_from_its_side() -> None:
    sign = entity("Arachnodactyly")
    asked = retrieval("What has it?", [phenotype("Arachnodactyly", "16/21")], sign)
    assert composed(asked)[0] == (
        "The Human Phenotype Ontology lists Arachnodactyly as a frequent sign or symptom of "
        "Marfan syndrome (16/21) [1]."
    )


def test_a_definition_comes_sentence_by_sentence() -> None:
    asked = retrieval(
        "What is migraine?", [SYMPTOM, DESCRIPTION], MIGRAINE, aspects=("definition",)
    )
    assert composed(asked) == (
        "The starter graph describes migraine as follows: A headache disorder with recurring "
        "attacks, e.g. weekly [1]. It often affects one side [1].",
        (),
    )


def test_without_an_aspect_everything_is_told_definition_first() -> None:
    asked = retrieval("Migraine", [SYMPTOM, DEPARTMENT, DESCRIPTION], MIGRAINE)
    assert composed(asked)[0] == (
        "The starter graph describes migraine as follows: A headache disorder with recurring "
        "attacks, e.g. weekly [1]. It often affects one side [1].\n\n"
        "As a sign or symptom of migraine, the starter graph lists nausea [2].\n\n"
        "As a department for migraine, the starter graph lists neurology [3]."
    )


def test_silence_is_not_no() -> None:
    silent = (
        "The graph says nothing about side effects of migraine; that does not mean there is none."
    )
    evidence = [*TREATMENTS, DESCRIPTION]
    asked = retrieval("Side effects?", evidence, MIGRAINE, aspects=("side-effect",))
    assert composed(asked) == (
        "The starter graph describes migraine as follows: A headache disorder with recurring "
        "attacks, e.g. weekly [1]. It often affects one side [1].",
        (silent,),
    )
    asked = retrieval("Side effects?", TREATMENTS, MIGRAINE, aspects=("side-effect",))
    assert composed(asked) == (ABSTENTION["en"], (silent,))


def test_one_aspect_answered_and_one_silent() -> None:
    asked = retrieval("Cause, department?", [DEPARTMENT], MIGRAINE, aspects=("cause", "department"))
    assert composed(asked) == (
        "As a department for migraine, the starter graph lists neurology [1].",
        ("The graph says nothing about causes of migraine; that does not mean there is none.",),
    )


def test_no_description_but_other_facts() -> None:
    asked = retrieval("What is migraine?", [SYMPTOM], MIGRAINE, aspects=("definition",))
    assert composed(asked) == (
        "As a sign or symptom of migraine, the starter graph lists nausea [1].",
        ("The graph holds no description of migraine.",),
    )


def test_nothing_recognised_nothing_known_and_the_nearest() -> None:
    assert composed(retrieval("Foo?", [])) == (
        ABSTENTION["en"],
        ("No entity of the graph was recognised in the question.",),
    )
    near = (Candidate("http://e/1", "migraine with aura", 0.8, "folded"),)
    asked = retrieval("Migraine?", [], MIGRAINE, candidates=near, complete=False)
    assert composed(asked) == (
        ABSTENTION["en"],
        (
            "The graph knows migraine but holds no facts about it for this question.",
            "Nearest entities in the graph: migraine with aura.",
            "The search was cut off before its end; the graph may hold more.",
        ),
    )


def test_relations_without_a_phrase_are_told_by_their_label() -> None:
    evidence = [
        item(triple(MARFAN, "hasInheritance", entity("Autosomal dominant inheritance"), HPO)),
        item(triple(MARFAN, "birth place", entity("Paris"))),
        item(triple(MARFAN, "birth place", entity("Rome"))),
        item(triple(MARFAN, "motto", literal("all is well"))),
        item(triple(entity("Antoine Marfan"), "described", MARFAN)),
    ]
    assert composed(retrieval("Marfan syndrome?", evidence, MARFAN))[0] == (
        "As a mode of inheritance of Marfan syndrome, the Human Phenotype Ontology lists Autosomal "
        "dominant inheritance [1].\n\n"
        "According to the starter graph, the birth place of Marfan syndrome is Paris [2] and "
        "Rome [3]. According to the starter graph, the motto of Marfan syndrome is "
        "“all is well” [4].\n\n"
        "According to the starter graph, the described of Antoine Marfan is Marfan syndrome [5]."
    )


def test_two_sources_speak_together() -> None:
    from tests.graphs import STARTER

    evidence = [item(triple(MARFAN, "hasSymptom", entity("Myopia"), HPO, STARTER))]
    assert composed(retrieval("Signs?", evidence, MARFAN))[0] == (
        "As a sign or symptom of Marfan syndrome, the Human Phenotype Ontology and the starter "
        "graph list Myopia [1]."
    )


def test_of_two_entities_only_what_joins_them() -> None:
    asked = retrieval("Does sumatriptan treat migraine?", TREATMENTS, SUMATRIPTAN, MIGRAINE)
    assert composed(asked)[0] == (
        "As a second-line treatment for migraine, the starter graph lists sumatriptan [1]."
    )


def test_two_entities_that_nothing_joins() -> None:
    asthma = entity("asthma")
    asked = retrieval("Does it help?", TREATMENTS[:1], SUMATRIPTAN, asthma, aspects=("treatment",))
    assert composed(asked) == (
        ABSTENTION["en"],
        ("No fact at hand joins sumatriptan and asthma; that does not mean that nothing does.",),
    )


def test_what_causes_a_symptom_is_told_as_the_graph_states_it() -> None:
    asked = retrieval("What causes nausea?", [SYMPTOM], entity("nausea"), aspects=("cause",))
    assert composed(asked) == (
        "The starter graph lists nausea as a sign or symptom of migraine [1].",
        ("The graph says nothing about causes of nausea; that does not mean there is none.",),
    )


def test_interactions_read_the_same_from_both_ends() -> None:
    warfarin, aspirin, ibuprofen = entity("warfarin"), entity("aspirin"), entity("ibuprofen")
    evidence = [
        item(triple(warfarin, "interactsWith", aspirin)),
        item(triple(ibuprofen, "interactsWith", warfarin)),
    ]
    asked = retrieval("Interactions?", evidence, warfarin, aspects=("interaction",))
    assert composed(asked)[0] == (
        "As substances that interact with warfarin, the starter graph lists aspirin [1] and "
        "ibuprofen [2]."
    )


def test_a_path_is_one_citation_told_hop_by_hop() -> None:
    joined = path(
        triple(SUMATRIPTAN, "treats", MIGRAINE),
        triple(MIGRAINE, "hasSymptom", entity("nausea")),
    )
    assert composed(retrieval("How?", [joined], SUMATRIPTAN, entity("nausea")))[0] == (
        "According to the starter graph, sumatriptan treats migraine, and migraine has symptom "
        "nausea [1]."
    )


def test_labels_cannot_become_markup() -> None:
    label = "a*b_c* <b>x</b> [1](http://evil.example) `y` | $5 & ~3~ {z}. Next"
    evidence = [item(triple(MIGRAINE, "hasSymptom", entity(label, iri="http://e/x")))]
    assert composed(retrieval("Signs?", evidence, MIGRAINE))[0] == (
        r"As a sign or symptom of migraine, the starter graph lists a\*b\_c\* \<b\>x\</b\> "
        r"\[1\](http\://evil.example) \`y\` \| \$5 \& \~3\~ \{z\}\. Next [1]."
    )


def test_the_same_fact_keeps_its_number_in_a_later_turn() -> None:
    numbers = Numbers({TREATMENTS[1].key: 7})
    asked = retrieval("Treatments?", TREATMENTS[:2], MIGRAINE, aspects=("treatment",))
    result = compose(asked, numbers)
    assert "ibuprofen [7]" in result.answer and "sumatriptan [8]" in result.answer
    assert result.cited == (TREATMENTS[1].key, TREATMENTS[0].key)


LABELS = st.text(
    st.characters(codec="utf-8", exclude_characters="。！？…"), min_size=1, max_size=30
)


@settings(max_examples=150, deadline=None)
@given(
    labels=st.lists(
        LABELS.filter(lambda text: any(c.isalnum() for c in text)), min_size=1, max_size=9
    ),
    aspect=st.sampled_from([a for a in ASPECTS if a != "definition"]),
    forward=st.booleans(),
    language=st.sampled_from(["en", "zh"]),
)
def test_supported_by_construction(
    labels: list[str], aspect: str, forward: bool, language: str
) -> None:
    relation = Relation("http://example.org/r", "reihe" if language == "en" else "关联", aspect)
    evidence = []
    for number, label in enumerate(dict.fromkeys(labels)):
        other = entity(label, iri=f"http://example.org/{number}")
        ends = (MIGRAINE, other) if forward else (other, MIGRAINE)
        evidence.append(item(triple(ends[0], relation, ends[1])))
    composed(retrieval("migraine", evidence, MIGRAINE, language=language))


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_aspect_has_a_name_for_silence(aspect: str, language: str) -> None:
    asked = retrieval("?", [SYMPTOM, *TREATMENTS], MIGRAINE, language=language, aspects=(aspect,))
    composed(asked)

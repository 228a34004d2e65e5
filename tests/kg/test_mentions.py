"""Which spans are linked, and abbreviations that the text defines."""

from __future__ import annotations

import pytest

from kg.deadline import Deadline
from kg.linking import link
from kg.mentions import OpenSpan, longest, mentions_of_terms, nested, open_spans
from kg.model import Mention
from kg.reading import Reading
from tests.fake_graph import FakeGraph, entity, fact

MIGRAINE = entity("Migraine", type="Disease")
SIGN = entity("Migraine", type="Phenotype")
SIGN = type(SIGN)("http://e/sign", "Migraine", (), "Phenotype")
SUMATRIPTAN = entity("Sumatriptan")
SBMA = entity("Spinal and bulbar muscular atrophy")
OTHER_SBMA = type(SBMA)("http://e/other", "SBMA")
MELAS = entity("MELAS")

GRAPH = FakeGraph(
    fact(SUMATRIPTAN, "treats", MIGRAINE),
    fact(MIGRAINE, "has symptom", entity("Nausea")),
    fact(MELAS, "has phenotype", SIGN),
    fact(entity("CADASIL"), "has phenotype", SIGN),
    fact(SBMA, "has phenotype", entity("Weakness")),
    fact(OTHER_SBMA, "treats", entity("Cough")),
)


def linked(question: str, *aspects: str) -> list[tuple[str, str | None, str]]:
    deadline = Deadline.after(5)
    reading = Reading(GRAPH, "en", deadline)
    found = link(question, reading.mentions(question), aspects, reading)
    return [(e.mention, e.iri, e.how) for e in found]


def test_longest_span_wins_and_spans_do_not_overlap() -> None:
    text = "bulbar muscular atrophy"
    mentions = [Mention(text, 0, 23), Mention("muscular", 7, 15), Mention("atrophy", 16, 23)]
    assert longest(mentions) == (mentions[0],)


def test_words_that_only_ask_are_not_linked() -> None:
    assert longest([Mention("symptoms", 0, 8), Mention("Migraine", 12, 20)]) == (
        Mention("Migraine", 12, 20),
    )


def test_a_homonym_with_facts_of_the_asked_aspect_wins() -> None:
    assert linked("How is migraine treated?", "treatment")[0][1] == MIGRAINE.iri


def test_what_an_entity_has_counts_before_what_has_it() -> None:
    # two diseases have the phenotype "Migraine", but the question is what migraine has
    assert linked("symptoms of migraine", "symptom")[0][1] == MIGRAINE.iri


def test_all_homonyms_stay_visible() -> None:
    deadline = Deadline.after(5)
    reading = Reading(GRAPH, "en", deadline)
    (entity_,) = link("migraine", reading.mentions("migraine"), (), reading)
    assert {c.iri for c in entity_.candidates} == {MIGRAINE.iri, SIGN.iri}


def test_a_defined_abbreviation_follows_its_definition() -> None:
    text = "spinal and bulbar muscular atrophy (SBMA): what causes SBMA?"
    assert linked(text, "cause") == [("spinal and bulbar muscular atrophy", SBMA.iri, "exact")]
    assert linked("what causes SBMA?") == [("SBMA", OTHER_SBMA.iri, "exact")]


def spans(text: str, *names: str) -> list[str]:
    mentions = [Mention(n, text.index(n), text.index(n) + len(n)) for n in names]
    found = open_spans(text, mentions)
    assert all(text[m.start : m.end] == m.text and isinstance(m, OpenSpan) for m in found)
    return [mention.text for mention in found]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("How is a heart attack treated?", (), ["heart attack", "heart", "attack"]),
        ("How is a heart attack treated?", ("heart",), ["heart attack", "attack"]),
        ("How is a heart attack treated?", ("heart attack",), []),
        ("symptoms and treatment of migraine", ("migraine",), []),
        ("What causes it, and why?", (), []),
        ("Does ANA or T3 or 12 matter to patients", (), ["matter"]),
        ("myocardial. Infarction", (), ["myocardial", "Infarction"]),
        ("心脏病发作怎么治疗？", (), ["心脏病发作", "心脏病", "发作"]),
        ("偏头痛有哪些症状", ("偏头痛",), []),
        ("", (), []),
    ],
)
def test_words_that_may_be_names_in_other_words(
    text: str, names: tuple[str, ...], expected: list[str]
) -> None:
    assert spans(text, *names) == expected


def test_open_spans_of_long_texts_are_bounded() -> None:
    text = " ".join(f"word{a}x" for a in range(500))
    found = spans(text)
    assert len(found) == 60 and all(len(span.split()) == 4 for span in found)


def test_terms_of_a_model_are_found_where_they_stand() -> None:
    text = "Is Migraines worse than a “tension-type headache”?"
    terms = [
        "migraine",
        "Tension type headache",
        "Sumatriptan  tablets",
        "",
        "migraines",
        "x" * 200,
    ]
    assert mentions_of_terms(text, terms) == (
        Mention("Migraines", 3, 12),
        Mention("tension-type headache", 27, 48),
        Mention("Sumatriptan tablets", 0, 0, "hypothesis"),
    )
    assert mentions_of_terms("", ["gout"]) == (Mention("gout", 0, 0, "hypothesis"),)


def test_names_inside_longer_ones_are_kept_when_asked_for() -> None:
    whole, head, ask = (
        Mention("头部及眼后部疼痛", 0, 8),
        Mention("头部", 0, 2),
        Mention("症状", 9, 11),
    )
    assert longest([head, whole, ask]) == (whole,)
    assert nested([head, whole, ask]) == (whole, head)
    disease = Mention("disease", 9, 16)
    heart = Mention("heart disease", 3, 16)
    assert nested([Mention("heart", 3, 8), heart, disease]) == (heart, Mention("heart", 3, 8))
    assert nested([disease]) == (disease,)


@pytest.mark.parametrize(
    ("text", "names", "kept"),
    [
        ("高血压患者能吃布洛芬吗", "高血压患者 高血压 布洛芬", "高血压 布洛芬"),
        ("糖尿病和高血压怎么治", "糖尿病和高血压 糖尿病 高血压", "糖尿病 高血压"),
        ("胸痛以及呼吸困难", "胸痛以及呼吸困难 胸痛 呼吸困难", "胸痛 呼吸困难"),
        ("和胃降逆方怎么用", "和胃降逆方 和胃", "和胃降逆方"),
        ("艾滋病患者", "艾滋病患者", "艾滋病患者"),
        ("癫痫和脑瘤有什么关系", "癫痫 脑瘤 关系", "癫痫 脑瘤"),
        ("the relation of gout and diabetes", "relation gout diabetes", "gout diabetes"),
        ("关系", "关系", "关系"),
    ],
)
def test_what_only_puts_names_together_is_none(text: str, names: str, kept: str) -> None:
    found = [
        Mention(name, text.index(name), text.index(name) + len(name)) for name in names.split()
    ]
    assert [mention.text for mention in longest(found)] == kept.split()
    assert {mention.text for mention in nested(found)} >= set(kept.split())
    assert not {m.text for m in nested(found)} & (set(names.split()[:1]) - set(kept.split()))

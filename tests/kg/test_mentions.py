"""Which spans are linked, and abbreviations that the text defines."""

from __future__ import annotations

from kg.deadline import Deadline
from kg.linking import link
from kg.mentions import defined_abbreviations, longest
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


def test_brackets_that_define_nothing() -> None:
    text = "migraine (AURA)"
    assert defined_abbreviations(text, [Mention("migraine", 0, 8)]) == {}

"""What is contraindicated in, or interacts with, something that the question itself names."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.cautions import cautions_for
from bot.conversation import Turn, take_turn
from bot.runtime import Runtime
from kg.deadline import Deadline
from kg.errors import DeadlineExceeded
from kg.model import Candidate, Entity, Evidence, LinkedEntity, Source, Triple, TripleSet
from kg.ranking.order import fact_evidence
from tests.bot.asking import ask
from tests.fake_graph import FakeGraph, entity, fact

PAIN, WARFARIN, ULCER = entity("pain"), entity("warfarin"), entity("peptic ulcer")
ASPIRIN, IBUPROFEN = entity("aspirin"), entity("ibuprofen")
PARACETAMOL = entity("paracetamol")
OTHER = Source("other", "Other source", "1")
TREATS = [fact(medicine, "treats", PAIN) for medicine in (ASPIRIN, IBUPROFEN, PARACETAMOL)]
IBUPROFEN_WARFARIN = fact(IBUPROFEN, "interacts with", WARFARIN)
GRAPH = FakeGraph(
    *TREATS,
    fact(WARFARIN, "interacts with", ASPIRIN),  # stated from its other end
    IBUPROFEN_WARFARIN,
    fact(IBUPROFEN, "interacts with", entity("lithium")),
    fact(ASPIRIN, "is contraindicated in", ULCER),
    fact(IBUPROFEN, "is contraindicated in", entity("peptic ulcer or bleeding")),
    fact(ASPIRIN, "is contraindicated in", entity("haemophilia")),
)


def linked(*entities: Entity, origin: str = "question") -> tuple[LinkedEntity, ...]:
    return tuple(
        LinkedEntity(e.label, e.iri or "", e.label, 1.0, "exact", origin)  # type: ignore[arg-type]
        for e in entities
    )


def cautions(
    *named: Entity,
    graph: FakeGraph = GRAPH,
    cited: list[Evidence] | None = None,
    language: str = "en",
    **given: str,
) -> tuple[str, ...]:
    items = [fact_evidence(one) for one in TREATS] if cited is None else cited
    entities = linked(PAIN, *named, **given)
    return cautions_for("pain?", items, graph, language, Deadline.after(9), entities)


def test_interactions_with_a_medicine_of_the_question() -> None:
    assert cautions(WARFARIN) == (
        "The Test source lists interactions of aspirin and ibuprofen with warfarin.",
    )
    assert cautions(WARFARIN, language="zh") == (
        "《Test source》列出：aspirin和ibuprofen与warfarin有相互作用。",
    )


def test_contraindications_in_a_condition_of_the_question() -> None:
    assert cautions(ULCER) == (
        "The Test source lists aspirin as contraindicated in peptic ulcer.",
        "The Test source lists ibuprofen as contraindicated in peptic ulcer or bleeding.",
    )
    assert cautions(ULCER, language="zh")[0] == "《Test source》列出：peptic ulcer禁用aspirin。"
    assert cautions() == (), "nothing else of the question is concerned"


def test_a_narrower_condition_of_the_same_type_counts() -> None:
    late = entity("late pregnancy", type="Other condition")
    graph = FakeGraph(*TREATS, fact(ASPIRIN, "is contraindicated in", late))
    asked = replace(
        linked(entity("pregnancy"))[0],
        candidates=(Candidate("http://e/pregnancy", "pregnancy", 1.0, "exact", late.type),),
    )
    items = [fact_evidence(TREATS[0])]
    said = cautions_for("pain?", items, graph, "en", Deadline.after(9), (asked,))
    assert said == ("The Test source lists aspirin as contraindicated in late pregnancy.",)


def test_what_is_asked_about_may_be_a_kind_of_what_is_contraindicated() -> None:
    gastric = entity("gastric ulcer")
    graph = FakeGraph(
        *TREATS,
        fact(ASPIRIN, "is contraindicated in", ULCER),
        fact(PARACETAMOL, "is contraindicated in", entity("bleeding gastric ulcer of old age")),
        fact(gastric, "is a", ULCER),
        fact(entity("peptic disease"), "has subtype", ULCER),
        fact(IBUPROFEN, "is contraindicated in", entity("peptic disease")),
    )
    assert cautions(gastric, graph=graph)[:1] == (
        "The Test source lists aspirin as contraindicated in peptic ulcer "
        "(which includes gastric ulcer).",
    )
    assert cautions(gastric, graph=graph, language="zh")[:1] == (
        "《Test source》列出：peptic ulcer（包括gastric ulcer）禁用aspirin。",
    )
    assert graph.asked.count(gastric.iri) == 2  # once for each of the two questions


def test_what_the_answer_itself_cites_is_not_said_twice() -> None:
    cited = [fact_evidence(one) for one in (*TREATS, IBUPROFEN_WARFARIN)]
    assert cautions(WARFARIN, cited=cited) == (
        "The Test source lists an interaction of aspirin with warfarin.",
    )
    turned = fact_evidence(fact(WARFARIN, "interacts with", IBUPROFEN))
    assert cautions(WARFARIN, cited=[*cited[:3], turned]) == (
        "The Test source lists an interaction of aspirin with warfarin.",
    )


def test_the_same_fact_of_two_sources_is_said_once_by_both() -> None:
    again = fact(WARFARIN, "interacts with", IBUPROFEN)
    graph = FakeGraph(*TREATS, IBUPROFEN_WARFARIN, replace(again, sources=(OTHER,)))
    assert cautions(WARFARIN, graph=graph) == (
        "The Test source and the Other source list an interaction of ibuprofen with warfarin.",
    )


def test_only_medicines_that_the_answer_names_are_cautioned() -> None:
    assert cautions(WARFARIN, ULCER, cited=[fact_evidence(TREATS[2])]) == ()
    assert cautions(WARFARIN, cited=[]) == ()


def test_a_guess_is_no_fact_about_the_patient() -> None:
    assert cautions(WARFARIN, ULCER, origin="hypothesis") == ()


def test_what_was_carried_over_counts() -> None:
    entities = tuple(replace(entity, how="carried") for entity in linked(WARFARIN))
    items = [fact_evidence(TREATS[1])]
    said = cautions_for("and pain?", items, GRAPH, "en", Deadline.after(9), entities)
    assert said == ("The Test source lists an interaction of ibuprofen with warfarin.",)


def test_a_medicine_is_known_by_what_is_said_of_it() -> None:
    cited = [fact_evidence(fact(IBUPROFEN, "side effect", entity("heartburn")))]
    assert cautions(WARFARIN, cited=cited) == (
        "The Test source lists an interaction of ibuprofen with warfarin.",
    )


@pytest.mark.parametrize(
    ("relation", "text", "said"),
    [
        (
            "is contraindicated in",
            "Bleeding; active peptic ulcers.",
            "The Test source lists under the contraindications to aspirin: "
            "“Bleeding; active peptic ulcers.”.",
        ),
        (
            "interacts with",
            "Peptic ulcer medicines",
            "The Test source lists under the interactions of aspirin: “Peptic ulcer medicines”.",
        ),
        ("is contraindicated in", "Hypertension", None),
    ],
)
def test_a_source_that_writes_sentences_is_quoted(
    relation: str, text: str, said: str | None
) -> None:
    graph = FakeGraph(*TREATS, fact(ASPIRIN, relation, text))
    assert cautions(ULCER, graph=graph) == ((said,) if said else ())


def test_a_second_text_is_not_hidden_by_the_one_that_is_cited() -> None:
    first = fact(ASPIRIN, "is contraindicated in", "peptic ulcer")
    graph = FakeGraph(*TREATS, first, fact(ASPIRIN, "is contraindicated in", "old peptic ulcer"))
    said = cautions(ULCER, graph=graph, cited=[fact_evidence(TREATS[0]), fact_evidence(first)])
    assert said == (
        "The Test source lists under the contraindications to aspirin: “old peptic ulcer”.",
    )


def test_each_medicine_is_read_once_however_many_there_are() -> None:
    medicines = [entity(f"medicine {number}") for number in range(30)]
    facts = [fact(medicine, "treats", PAIN) for medicine in medicines]
    graph = FakeGraph(*facts, *(fact(m, "interacts with", WARFARIN) for m in medicines))
    (said,) = cautions(WARFARIN, graph=graph, cited=[fact_evidence(one) for one in facts])
    assert said.startswith("The Test source lists interactions of medicine 0, medicine 1,")
    assert sorted(graph.asked) == sorted(medicine.iri or "" for medicine in medicines)


class _Slow(FakeGraph):
    """A graph whose time runs out with the third entity, or that reads only some facts."""

    def __init__(self, *triples: Triple, cut: bool = False) -> None:
        super().__init__(*triples)
        self.cut = cut

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        found = super().triples(iri, language, deadline)
        if len(self.asked) > 2 and not self.cut:
            raise DeadlineExceeded("The time ran out.")
        return TripleSet(found.triples, complete=not self.cut)


@pytest.mark.parametrize("cut", [False, True])
def test_when_the_time_runs_out_what_was_found_is_told_and_that_there_may_be_more(
    cut: bool,
) -> None:
    for language, last in (
        ("en", "The search for contraindications and interactions was cut off; there may be more."),
        ("zh", "对禁忌和相互作用的查找被中断，可能还有更多。"),
    ):
        said = cautions(WARFARIN, graph=_Slow(*GRAPH._triples, cut=cut), language=language)
        assert len(said) == 2 and "warfarin" in said[0] and said[1] == last


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "What helps with pain while on warfarin?",
            "The Graphcite starter graph lists interactions of aspirin, paracetamol, naproxen, "
            "ibuprofen, diclofenac and nimesulide with warfarin.",
        ),
        (
            "How is hypertension treated in asthma?",
            "The Graphcite starter graph lists labetalol as contraindicated in asthma.",
        ),
        (
            "服用华法林时疼痛怎么治疗？",
            "《Graphcite 入门图谱》列出：阿司匹林、布洛芬、萘普生、双氯芬酸、尼美舒利和"
            "对乙酰氨基酚与华法林有相互作用。",
        ),
        ("哮喘患者高血压怎么治疗", "《Graphcite 入门图谱》列出：哮喘禁用拉贝洛尔。"),
    ],
)
def test_on_the_starter_graph(runtime: Runtime, question: str, said: str) -> None:
    record = asyncio.run(take_turn(runtime, Turn(question, strategy="kg-rank")))
    assert said in record.cautions
    chained = asyncio.run(take_turn(runtime, Turn(question, strategy="hykge")))
    assert said not in chained.cautions, "the chains tell it"


def test_an_answer_that_is_the_interaction_needs_no_caution(runtime: Runtime) -> None:
    for question, medicines in (
        ("Can I take ibuprofen with warfarin?", ("ibuprofen", "warfarin")),
        ("布洛芬能和华法林一起吃吗？", ("布洛芬", "华法林")),
    ):
        record = ask(runtime, question)
        assert all(name in record.answer for name in medicines) and record.cautions == ()

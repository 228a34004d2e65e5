"""The baselines of the HyKGE paper: what each asks a model, and what it gives without one."""

from __future__ import annotations

import pytest

from kg.errors import BadInput, ModelError
from kg.strategies.names import EXPLAINED, NEED_A_MODEL, STRATEGIES
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.strategies.asked import asked, texts
from tests.scripted_model import ScriptedModel

MIGRAINE, NAUSEA, TRIPTAN = entity("Migraine"), entity("Nausea"), entity("Sumatriptan")
AURA = entity("Aura")
GRAPH = FakeGraph(
    fact(TRIPTAN, "treats", MIGRAINE),
    fact(MIGRAINE, "has symptom", NAUSEA),
    fact(TRIPTAN, "has side effect", NAUSEA),
    fact(AURA, "precedes", MIGRAINE),
    fact(MIGRAINE, "description", "A headache disorder."),
)


def test_each_strategy_is_explained_in_both_languages() -> None:
    assert set(STRATEGIES) == {
        "auto", "kg-rank", "hykge", "graph-rag", "query-expansion", "chain-of-note",
        "chain-of-knowledge", "base",
    }  # fmt: skip
    assert all(set(told) == {"en", "zh"} for told in EXPLAINED.values())


@pytest.mark.parametrize("strategy", NEED_A_MODEL)
def test_what_is_nothing_without_a_model_refuses_in_one_line(strategy: str) -> None:
    with pytest.raises(BadInput) as error:
        asked(strategy, "What is migraine?", GRAPH)
    assert "needs a language model" in error.value.user_message
    assert "\n" not in error.value.user_message


def test_an_unknown_strategy_is_refused_with_the_names() -> None:
    with pytest.raises(BadInput, match="kg-rank"):
        asked("rag", "What is migraine?", GRAPH)


def test_base_reads_no_graph() -> None:
    graph = FakeGraph(*[fact(TRIPTAN, "treats", MIGRAINE)])
    found = asked("base", "What treats migraine?", graph, model=ScriptedModel())
    assert found.evidence == () and found.entities == () and graph.asked == []
    assert found.strategy == "base" and found.calls == {}


def test_graph_rag_takes_what_is_around_and_between_the_questions_entities() -> None:
    found = asked("graph-rag", "Does sumatriptan cause nausea in migraine?", GRAPH)
    assert found.strategy == "graph-rag" and found.calls == {}
    assert {item.kind for item in found.evidence} >= {"triple", "description"}
    assert "Sumatriptan has side effect Nausea" in texts(found)
    assert any(len(item.hops) > 1 for item in found.evidence)
    assert len({item.key for item in found.evidence}) == len(found.evidence)
    assert all("similarity" not in item.scores for item in found.evidence)


def test_query_expansion_links_what_the_model_adds() -> None:
    model = ScriptedModel(jobs={"query-expansion": '["aura before a headache", "triptans"]'})
    found = asked("query-expansion", "What treats migraine?", GRAPH, model=model)
    assert found.calls == {"query-expansion": 1}
    assert [(e.label, e.origin) for e in found.entities] == [
        ("Migraine", "question"),
        ("Aura", "hypothesis"),
    ]
    assert found.notes == {"query expansion": "aura before a headache\ntriptans"}
    assert "Aura precedes Migraine" in texts(found)


def test_query_expansion_that_fails_leaves_the_question() -> None:
    model = ScriptedModel("Let me think.", "Still thinking.")
    found = asked("query-expansion", "What treats migraine?", GRAPH, model=model)
    assert found.calls == {"query-expansion": 1, "repair": 1} and found.notes == {}
    assert found.evidence and len(found.problems) == 1


def test_chain_of_note_reads_the_evidence_before_the_answer() -> None:
    model = ScriptedModel(jobs={"notes": "E1 says what treats it."})
    found = asked("chain-of-note", "What treats migraine?", GRAPH, model=model)
    assert found.notes == {"notes": "E1 says what treats it."}
    assert found.calls == {"notes": 1}
    assert "Sumatriptan — treats — Migraine" in model.asked[0].prompt
    plain = asked("graph-rag", "What treats migraine?", GRAPH)
    assert texts(found) == texts(plain)


def test_chain_of_note_that_fails_keeps_the_evidence() -> None:
    model = ScriptedModel(ModelError("Gone."))
    found = asked("chain-of-note", "What treats migraine?", GRAPH, model=model)
    assert found.notes == {} and found.evidence and len(found.problems) == 1


def test_chain_of_knowledge_corrects_each_step_by_the_graph() -> None:
    model = ScriptedModel(
        jobs={
            "knowledge-steps": '["Sumatriptan treats migraine.", "Aura follows migraine."]',
            "knowledge-correction": ["Sumatriptan treats migraine.", "Aura precedes migraine."],
        }
    )
    found = asked("chain-of-knowledge", "What treats migraine?", GRAPH, model=model)
    assert sum(found.calls.values()) >= 3  # NOTES.md: at least three before the answer
    assert found.calls == {"knowledge-steps": 1, "knowledge-correction": 2}
    assert found.notes == {"steps": "Sumatriptan treats migraine.\nAura precedes migraine."}
    assert "Aura — precedes — Migraine" in model.asked[2].prompt
    assert "Aura precedes Migraine" in texts(found)
    assert len({item.key for item in found.evidence}) == len(found.evidence)


def test_chain_of_knowledge_with_a_single_step_still_asks_three_times() -> None:
    model = ScriptedModel(
        jobs={"knowledge-steps": '["Triptans help."]', "knowledge-correction": "They do."}
    )
    found = asked("chain-of-knowledge", "What treats migraine?", GRAPH, model=model)
    assert sum(found.calls.values()) == 3


def test_chain_of_knowledge_that_fails_is_graph_rag() -> None:
    model = ScriptedModel("no list", "no list")
    found = asked("chain-of-knowledge", "What treats migraine?", GRAPH, model=model)
    assert texts(found) == texts(asked("graph-rag", "What treats migraine?", GRAPH))
    assert found.notes == {} and len(found.problems) == 1


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "base"])
def test_a_stopped_question_ends_whatever_the_strategy(strategy: str) -> None:
    from kg.deadline import Deadline
    from kg.errors import DeadlineExceeded

    model = ScriptedModel(jobs={}, stop_after=0)
    with pytest.raises(DeadlineExceeded):
        asked(
            strategy,
            "Why does sumatriptan treat migraine?",
            GRAPH,
            model=model,
            deadline=Deadline.after(30, lambda: True),
        )


def test_an_empty_expansion_is_said_and_leaves_no_note() -> None:
    model = ScriptedModel(jobs={"query-expansion": "[]"})
    found = asked("query-expansion", "How is migraine treated?", GRAPH, model=model)
    assert "query expansion" not in found.notes and found.evidence
    assert found.problems == ("The model added nothing to the question.",)


def test_no_steps_are_said() -> None:
    model = ScriptedModel(jobs={"knowledge-steps": "[]"})
    found = asked("chain-of-knowledge", "How is migraine treated?", GRAPH, model=model)
    assert found.evidence and len(found.problems) == 1 and "no steps" in found.problems[0]


@pytest.mark.parametrize(
    ("strategy", "job", "reply"),
    [
        ("query-expansion", "query-expansion", '["{name}"]'),
        ("chain-of-knowledge", "knowledge-steps", '["{name} tires.", "It does."]'),
    ],
)
def test_what_only_the_model_brought_is_marked(strategy: str, job: str, reply: str) -> None:
    graph = FakeGraph(fact(entity("Diuretic"), "treats", entity("Heart failure")))
    jobs = {job: reply.replace("{name}", "Heart failure"), "knowledge-correction": "ok"}
    found = asked(strategy, "Why am I tired?", graph, model=ScriptedModel(jobs=jobs))
    assert found.evidence and {item.origin for item in found.evidence} == {"hypothesis"}

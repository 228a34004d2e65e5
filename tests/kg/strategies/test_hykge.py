"""HyKGE on hand-made graphs: the paper's steps, its ablations, and what happens without a model."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.model import Retrieval
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.strategies.asked import asked, texts
from tests.kg.strategies.test_kg_rank import until
from tests.scripted_model import ScriptedModel

ULCER, PAIN = entity("Stomach ulcer"), entity("Stomach pain")
SUCRALFATE, ACID = entity("Sucralfate"), entity("Hyperacidity")
ABDOMEN, REFLUX = entity("Abdomen"), entity("Acid reflux")
# The shapes of the paper's case 2, in our own facts.
GRAPH = FakeGraph(
    fact(SUCRALFATE, "treats", ULCER),
    fact(SUCRALFATE, "has side effect", PAIN),
    fact(ACID, "affects", ABDOMEN),
    fact(PAIN, "affects", ABDOMEN),
    fact(REFLUX, "may cause", ULCER),
    fact(ACID, "description", "Too much acid in the stomach."),
    fact(PAIN, "description", "Pain in the upper belly."),
    fact(ULCER, "has symptom", entity("Black stool")),
)
QUESTION = "How do stomach pain and hyperacidity hang together?"
CHAINS = {"without": "facts"}


def kinds(retrieval: Retrieval) -> list[str]:
    return [item.kind for item in retrieval.evidence]


def test_a_co_ancestor_chain_joins_two_entities_with_what_they_are() -> None:
    found = asked("hykge", QUESTION, GRAPH, settings=CHAINS)
    assert kinds(found) == ["co-ancestor", "description", "description"]
    chain = found.evidence[0]
    assert [(h.triple.subject.label, h.forward) for h in chain.hops] == [
        ("Stomach pain", True),
        ("Hyperacidity", False),
    ]
    assert chain.text == "Stomach pain affects Abdomen; Hyperacidity affects Abdomen"
    assert found.chains_found == {"path": 0, "co-ancestor": 1, "co-occurrence": 0}
    assert found.chains_kept == 1 and found.strategy == "hykge"
    assert texts(found)[1:] == [
        "Stomach pain: Pain in the upper belly.",
        "Hyperacidity: Too much acid in the stomach.",
    ]
    assert chain.fragment and chain.fragment in QUESTION
    assert {"chain", "score"} < chain.scores.keys()


def test_a_hypothesis_brings_names_and_each_keeps_its_origin() -> None:
    model = ScriptedModel(
        jobs={"hypothesis": "A stomach ulcer may be behind it; sucralfate helps."}
    )
    found = asked("hykge", "What helps against stomach pain?", GRAPH, model=model)
    assert found.hypothesis == "A stomach ulcer may be behind it; sucralfate helps."
    assert [(e.label, e.origin) for e in found.entities] == [
        ("Stomach pain", "question"),
        ("Stomach ulcer", "hypothesis"),
        ("Sucralfate", "hypothesis"),
    ]
    assert {m.text: m.origin for m in found.mentions}["stomach ulcer"] == "hypothesis"
    assert found.calls == {"hypothesis": 1}  # the answer is the second and last call
    (call,) = model.asked
    assert (call.max_tokens, call.temperature) == (300, 0.6)
    co = next(item for item in found.evidence if item.kind == "co-occurrence")
    assert co.text == "Sucralfate has side effect Stomach pain; Sucralfate treats Stomach ulcer"
    assert [hop.forward for hop in co.hops] == [False, True]
    assert co.origin == "hypothesis"
    direct = next(item for item in found.evidence if item.kind == "triple")
    assert len(direct.hops) == 1


def test_a_direct_fact_is_the_triple_that_kg_rank_finds() -> None:
    question = "Does acid reflux cause a stomach ulcer?"
    one = asked("hykge", question, GRAPH).evidence[0]
    other = asked("kg-rank", question, GRAPH).evidence[0]
    assert one.text == "Acid reflux may cause Stomach ulcer"
    assert (one.key, one.kind) == (other.key, "triple")


def test_without_a_model_it_runs_without_a_hypothesis_and_says_so() -> None:
    found = asked("hykge", QUESTION, GRAPH)
    assert found.hypothesis is None and found.calls == {}
    assert found.why and "without a model" in found.why and "worse" in found.why


@pytest.mark.parametrize("reply", [ModelError("The server does not answer."), "", "   "])
def test_a_hypothesis_that_fails_is_said_and_the_question_stands_alone(
    reply: str | ModelError,
) -> None:
    found = asked("hykge", QUESTION, GRAPH, model=ScriptedModel(reply))
    assert found.hypothesis is None and kinds(found)[0] == "co-ancestor"
    assert len(found.problems) == 1 and "without a hypothesis" in found.problems[0]


# Ablations


def test_without_each_part() -> None:
    hypothesis = {"hypothesis": "A stomach ulcer."}

    def without(parts: str) -> Retrieval:
        model = ScriptedModel(jobs=hypothesis)
        return asked("hykge", QUESTION, GRAPH, model=model, settings={"without": parts})

    ho = without("ho")
    assert ho.calls == {} and ho.hypothesis is None and len(ho.entities) == 2
    path = without("path")
    assert set(kinds(path)) == {"description"} and path.chains_found == {}
    description = without("description")
    assert "description" not in kinds(description) and description.evidence
    reranker = without("reranker,facts")
    assert all(i.scores.keys() == {"chain", "score"} for i in reranker.evidence if i.scores)
    fragments = without("fragments")
    assert fragments.evidence[0].fragment == f"{QUESTION}\nA stomach ulcer."
    assert fragments.parameters["without"] == ["fragments"]
    nothing = without("path,description")
    assert nothing.evidence == () and nothing.complete


# One entity, none, no connection


def test_one_entity_gives_its_facts_and_what_it_is() -> None:
    found = asked("hykge", "What is hyperacidity?", GRAPH)
    assert kinds(found) == ["triple", "description"]
    assert texts(found)[0] == "Hyperacidity affects Abdomen"


def test_one_entity_is_expanded_where_its_neighbours_have_what_is_asked() -> None:
    found = asked("hykge", "What are the side effects of what treats a stomach ulcer?", GRAPH)
    assert found.evidence[0].kind == "path"
    assert found.evidence[0].text == (
        "Sucralfate treats Stomach ulcer; Sucralfate has side effect Stomach pain"
    )


def test_a_name_inside_another_is_no_second_entity() -> None:
    long, short = entity("Pain behind the eyes"), entity("Pain")
    graph = FakeGraph(
        fact(long, "is a kind of", short), fact(short, "has symptom", entity("Tears"))
    )
    found = asked("hykge", "What is pain behind the eyes?", graph)
    assert [e.label for e in found.entities] == ["Pain behind the eyes"]
    assert texts(found) == ["Pain behind the eyes is a kind of Pain"]


def test_nested_names_anchor_chains_to_other_entities() -> None:
    long, short, other = entity("Pain behind the eyes"), entity("Pain"), entity("Migraine")
    graph = FakeGraph(fact(other, "has symptom", short), fact(long, "is a kind of", short))
    question = "Is pain behind the eyes a symptom of migraine?"
    found = asked("hykge", question, graph, settings=CHAINS)
    assert "Migraine has symptom Pain" in texts(found)
    assert "Pain behind the eyes is a kind of Pain" not in texts(found)  # within one name


def test_facts_take_the_places_that_chains_leave_free() -> None:
    chains = asked("hykge", QUESTION, GRAPH, settings=CHAINS)
    found = asked("hykge", QUESTION, GRAPH)
    assert kinds(found) == ["co-ancestor", *["triple"] * 3, "description", "description"]
    assert texts(found)[0] == texts(chains)[0] and texts(found)[4:] == texts(chains)[1:]
    few = asked("hykge", QUESTION, GRAPH, settings={"top_k": "2"})
    assert kinds(few) == ["co-ancestor", "triple", "description", "description"]
    assert kinds(asked("hykge", QUESTION, GRAPH, settings={"top_k": "1"}))[1] == "description"
    plain = asked("hykge", QUESTION, GRAPH, settings={"without": "reranker"})
    assert plain.parameters["encoder"] == "lexical" and kinds(plain)[1] == "triple"


def test_a_fact_that_joins_both_stands_there_once() -> None:
    found = asked("hykge", "Does acid reflux cause a stomach ulcer?", GRAPH)
    assert texts(found).count("Acid reflux may cause Stomach ulcer") == 1
    assert len(set(texts(found))) == len(found.evidence) > 2


def test_a_name_inside_a_word_of_another_is_an_entity_of_its_own() -> None:
    failure, ear, drug = entity("Heart failure"), entity("Ear"), entity("Diuretic")
    graph = FakeGraph(fact(drug, "treats", failure), fact(drug, "damages", ear))
    found = asked("hykge", "Can the treatment of heart failure damage the ear?", graph)
    assert [(e.label, e.nested) for e in found.entities] == [
        ("Heart failure", False),
        ("Ear", False),
    ]
    assert found.chains_found["co-occurrence"] == 1
    assert "Diuretic treats Heart failure; Diuretic damages Ear" in texts(found)


def test_a_name_that_stands_inside_another_and_by_itself_is_asked_about() -> None:
    vaccine, flu = entity("Flu vaccine"), entity("Flu")
    graph = FakeGraph(fact(vaccine, "prevents", flu), fact(flu, "has symptom", entity("Fever")))
    for strategy in ("hykge", "auto"):
        found = asked(strategy, "Does the flu vaccine prevent flu?", graph)
        assert [(e.label, e.nested) for e in found.entities] == [
            ("Flu vaccine", False),
            ("Flu", False),
        ]
        assert texts(found)[0] == "Flu vaccine prevents Flu"


def test_what_only_the_hypothesis_brought_is_marked_as_a_guess() -> None:
    model = ScriptedModel(jobs={"hypothesis": "Acid reflux may be behind it."})
    found = asked("hykge", "Why am I tired?", GRAPH, model=model)
    assert found.evidence and {item.origin for item in found.evidence} == {"hypothesis"}
    assert {item.kind for item in found.evidence} >= {"triple"}


def test_two_entities_with_no_connection_say_so_and_give_their_facts() -> None:
    graph = FakeGraph(
        fact(ULCER, "has symptom", entity("Black stool")),
        fact(entity("Flat foot"), "affects", entity("Arch")),
    )
    found = asked("hykge", "Does flat foot cause a stomach ulcer?", graph)
    assert found.chains_found == {"path": 0, "co-ancestor": 0, "co-occurrence": 0}
    assert len(found.problems) == 1
    assert "No chain of at most 3 hops joins Flat foot, Stomach ulcer" in found.problems[0]
    assert set(kinds(found)) == {"triple"} and len(found.evidence) == 2


def test_nothing_recognised_gives_no_evidence() -> None:
    found = asked("hykge", "How are you?", GRAPH)
    assert found.evidence == () and found.complete and not found.problems


def test_conflicts_between_the_two_ends_are_both_there() -> None:
    drug, disease = entity("Drug"), entity("Vertigo")
    graph = FakeGraph(fact(drug, "treats", disease), fact(drug, "contraindicated in", disease))
    found = asked("hykge", "Does Drug treat vertigo?", graph, settings={"top_k": "1"})
    assert len(found.conflicts) == 1 and len(found.evidence) == 2
    assert {key for pair in found.conflicts for key in pair} == {i.key for i in found.evidence}


# Bounds


def test_more_hops_by_a_setting() -> None:
    nodes = [entity(f"Node{chr(97 + n)}") for n in range(5)]
    graph = FakeGraph(
        *(fact(one, "leads to", other) for one, other in zip(nodes, nodes[1:], strict=False))
    )
    question = "How are Nodea and Nodee linked?"
    assert asked("hykge", question, graph).chains_found["path"] == 0
    found = asked("hykge", question, graph, settings={"k": "4"})
    assert found.chains_found["path"] == 1 and len(found.evidence[0].hops) == 4


def test_top_k_bounds_the_chains() -> None:
    graph = FakeGraph(
        *(fact(end, "affects", entity(f"Organ {n}")) for n in range(30) for end in (ULCER, PAIN))
    )
    question = "What do stomach ulcer and stomach pain share?"
    assert len(asked("hykge", question, graph).evidence) == 10
    assert asked("hykge", question, graph).chains_found["co-ancestor"] == 30
    assert len(asked("hykge", question, graph, settings={"top_k": "4"}).evidence) == 4


@pytest.mark.parametrize("stage", ["mentions", "linking", "chains", "ranking"])
def test_time_that_runs_out_gives_the_best_so_far(stage: str) -> None:
    deadline, stages = until(stage)
    found = asked("hykge", QUESTION, GRAPH, deadline=deadline, on_stage=stages.append)
    if stage == "ranking":  # by then all is read; shared words rank at once
        assert found.evidence[0].kind == "co-ancestor"
    else:
        assert not found.complete
        assert sum("ran out" in problem for problem in found.problems) == 1


class Half:
    """A re-ranker that scores by a word, for English alone; `limit` pairs at most."""

    name = "half"
    languages = frozenset({"en"})

    def __init__(self, word: str, limit: int = 1000) -> None:
        self.word, self.limit, self.pairs = word, limit, 0

    def scores(self, pairs: object, deadline: Deadline) -> NDArray[np.float32]:
        some = list(pairs)[: self.limit]  # type: ignore[call-overload]
        self.pairs += len(some)
        return np.asarray([float(self.word in text) for _, text in some], dtype=np.float32)


def test_a_re_ranker_decides_the_order_of_chains() -> None:
    organs = [fact(end, "affects", entity(f"Organ {n}")) for n in range(6) for end in (ULCER, PAIN)]
    question = "What do stomach ulcer and stomach pain share?"
    found = asked("hykge", question, FakeGraph(*organs), reranker=Half("Organ 4"))
    assert "Organ 4" in found.evidence[0].text
    assert found.evidence[0].scores["rerank"] == 1.0
    assert found.parameters["reranker"] == "half"


def test_a_re_ranker_may_not_rank_another_language() -> None:
    reranker = Half("Organ")
    found = asked("hykge", QUESTION, GRAPH, reranker=reranker, language="zh")
    assert reranker.pairs == 0 and len(found.problems) >= 1
    assert any("half" in problem for problem in found.problems)


def test_a_re_ranker_that_fails_is_said_and_the_order_stays() -> None:
    class Broken(Half):
        def scores(self, pairs: object, deadline: Deadline) -> NDArray[np.float32]:
            raise ModelError("The re-ranker does not answer.")

    found = asked("hykge", QUESTION, GRAPH, reranker=Broken("x"))
    assert texts(found) == texts(asked("hykge", QUESTION, GRAPH))
    assert found.parameters["reranker"] == "none"
    assert len(found.problems) == 1 and "does not answer" in found.problems[0]


def test_what_both_ends_are_told_to_have_comes_before_what_has_both() -> None:
    cough, one, other = entity("Cough"), entity("Pneumonia"), entity("Bronchitis")
    rare = [
        fact(entity(f"Rare disease {n}"), "has symptom", end)
        for n in range(20)
        for end in (one, other)
    ]
    hub = [fact(entity(f"Disease {n}"), "has symptom", cough) for n in range(300)]
    both = [fact(end, "has symptom", cough) for end in (one, other)]
    graph = FakeGraph(*rare, *hub, *both)
    found = asked("hykge", "Which symptoms do pneumonia and bronchitis share?", graph)
    best = found.evidence[0]
    assert best.text == "Pneumonia has symptom Cough; Bronchitis has symptom Cough"
    assert best.kind == "co-ancestor" and best.scores["chain"] > found.evidence[1].scores["chain"]


def test_only_guesses_are_said_to_be_guesses() -> None:
    model = ScriptedModel(jobs={"hypothesis": "Acid reflux may be behind it."})
    found = asked("hykge", "Why am I tired?", GRAPH, model=model)
    (problem,) = found.problems
    assert "Nothing that the question names" in problem and "Acid reflux" in problem


def test_a_fact_that_joins_both_comes_before_chains_of_the_asked_aspect() -> None:
    one, other, ulcer = entity("Warfarin"), entity("Ibuprofen"), entity("Peptic ulcer")
    shared = [fact(end, "contraindicated in", ulcer) for end in (one, other)]
    graph = FakeGraph(*shared, fact(one, "interacts with", other))
    found = asked("hykge", "I take warfarin. Can I take ibuprofen?", graph)
    assert texts(found)[0] == "Warfarin interacts with Ibuprofen"

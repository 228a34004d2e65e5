"""Time, Stop and the re-ranker's budget belong to the question, whatever takes them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import DeadlineExceeded
from kg.model import ChainSet, TripleSet
from kg.protocols import ChainQuery
from kg.ranking.encoding import BATCH
from kg.ranking.reranking import LEAST_SECONDS
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.strategies.asked import asked, texts
from tests.kg.strategies.test_kg_rank import until
from tests.scripted_model import ScriptedModel

NAMES = ("Migraine", "Nausea", "Sumatriptan", "Aura")
MANY = FakeGraph(
    *(
        fact(entity(name), "has symptom", entity(f"{name} sign {n}"))
        for name in NAMES
        for n in range(60)
    ),
    fact(entity("Migraine"), "precedes", entity("Aura")),
)
QUESTION = "What are the symptoms of migraine, nausea, sumatriptan and aura?"
APART = (
    fact(entity("Sumatriptan"), "treats", entity("Migraine")),
    fact(entity("Aura"), "precedes", entity("Nausea")),
)
LINKED = "Is sumatriptan linked with aura?"
BUDGET = 5.0  # seconds for re-ranking, as in Means


class Clock:
    """A monotonic clock that moves when something takes time."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    @property
    def taken(self) -> float:
        return self.now - 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    one = Clock()
    monkeypatch.setattr(time, "monotonic", one)
    return one


class Slow:
    """An encoder and a re-ranker that take so many seconds for each text; `called` hears of it."""

    name = "slow"
    languages = frozenset({"en"})

    def __init__(
        self, clock: Clock, each: float, called: Callable[[], None] = lambda: None
    ) -> None:
        self.clock, self.each, self.called = clock, each, called

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.called()
        self.clock.now += self.each * len(texts)
        vectors = np.random.default_rng(5).random((len(texts), 8)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        self.called()
        given = []
        for _, text in pairs:
            if deadline.expired:
                break
            self.clock.now += self.each
            given.append(1 / (1 + int(re.sub(r"\D", "", text) or 0)))
        return np.asarray(given, dtype=np.float32)


@pytest.mark.parametrize("strategy", ["kg-rank", "hykge", "auto"])
def test_a_slow_encoder_takes_one_batch_beyond_the_deadline_at_most(
    strategy: str, clock: Clock
) -> None:
    encoder = Slow(clock, 0.5)
    found = asked(strategy, QUESTION, MANY, encoder=encoder, deadline=Deadline.after(20))
    assert 20 < clock.taken <= 20 + BATCH * 0.5
    assert not found.complete and len(found.problems) == 1 and found.evidence


@pytest.mark.parametrize("strategy", ["kg-rank", "hykge", "auto"])
def test_a_reranker_has_one_budget_for_all_entities_and_is_told_of_once(
    strategy: str, clock: Clock
) -> None:
    reranker = Slow(clock, 1.0)
    found = asked(strategy, QUESTION, MANY, reranker=reranker, deadline=Deadline.after(60))
    assert BUDGET < clock.taken <= BUDGET + LEAST_SECONDS
    (problem,) = found.problems
    done = re.search(r"time ended after (\d+) items", problem)
    assert done and 20 <= int(done[1]) <= 24  # one more per list where 20 do not divide evenly
    assert sum("rerank" in item.scores for item in found.evidence) >= 10


def test_each_entity_gets_its_share_of_the_rerankers_time(clock: Clock) -> None:
    found = asked("kg-rank", QUESTION, MANY, reranker=Slow(clock, 0.05))
    read = [item.hops[0].triple.subject.label for item in found.evidence if "rerank" in item.scores]
    assert min(read.count(name) for name in NAMES) >= 4
    assert clock.taken == pytest.approx(BUDGET, abs=0.3)


def test_the_steps_of_chain_of_knowledge_share_one_budget(clock: Clock) -> None:
    jobs = {"knowledge-steps": '["Migraine hurts.", "Aura warns.", "Nausea follows."]'}
    model = ScriptedModel(jobs={**jobs, "knowledge-correction": "ok"})
    found = asked("chain-of-knowledge", QUESTION, MANY, model=model, reranker=Slow(clock, 1.0))
    assert clock.taken <= BUDGET + LEAST_SECONDS
    assert found.parameters["reranker"] == "slow"
    assert sum("time ended" in problem for problem in found.problems) == 1


@pytest.mark.parametrize("strategy", ["kg-rank", "hykge", "auto"])
@pytest.mark.parametrize("what", ["encoder", "reranker"])
def test_stop_in_ranking_ends_at_once(what: str, strategy: str, clock: Clock) -> None:
    calls: list[str] = []
    models = {
        "encoder": Slow(clock, 0.0, lambda: calls.append("encoder")),
        "reranker": Slow(clock, 0.0, lambda: calls.append("reranker")),
    }
    deadline = Deadline.after(20, stopped=lambda: what in calls)
    with pytest.raises(DeadlineExceeded):
        asked(strategy, QUESTION, MANY, deadline=deadline, **models)
    assert calls.count(what) == 1 and calls[-1] == what


@pytest.mark.parametrize("strategy", ["graph-rag", "hykge", "kg-rank"])
@pytest.mark.parametrize("stage", ["mentions", "linking", "chains", "retrieval", "ranking"])
def test_stop_in_a_stage_ends_at_its_end(stage: str, strategy: str) -> None:
    stages: list[str] = []
    deadline = Deadline.after(20, stopped=lambda: stage in stages)
    if (stage, strategy) == ("chains", "kg-rank"):
        return  # one entity alone is expanded
    with pytest.raises(DeadlineExceeded):
        asked(strategy, LINKED, FakeGraph(*APART), deadline=deadline, on_stage=stages.append)
    assert stages[-1] == stage


class CutOff(FakeGraph):
    """A graph whose chain search takes all its time and finds nothing, as from a hub with k=5."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(*APART)
        self.clock = clock

    def chains(
        self, entities: Sequence[str], query: ChainQuery, language: str, deadline: Deadline
    ) -> ChainSet:
        self.clock.now = deadline.at + 0.01
        return ChainSet((), {"path": 0, "co-ancestor": 0, "co-occurrence": 0}, complete=False)


def test_a_search_for_chains_that_takes_all_its_time_leaves_time_for_facts(clock: Clock) -> None:
    found = asked("hykge", LINKED, CutOff(clock), deadline=Deadline.after(20))
    assert set(texts(found)) == {"Sumatriptan treats Migraine", "Aura precedes Nausea"}
    assert not found.complete and not any("No chain" in problem for problem in found.problems)


class LateFacts(FakeGraph):
    """A graph that has no time for facts once it was asked for chains."""

    late = False

    def chains(
        self, entities: Sequence[str], query: ChainQuery, language: str, deadline: Deadline
    ) -> ChainSet:
        self.late = True
        return super().chains(entities, query, language, deadline)

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        if self.late:
            Deadline.after(-1).check("reading")
        return super().triples(iri, language, deadline)


def test_chains_that_were_found_stay_when_the_time_ends_after_them() -> None:
    graph = LateFacts(*APART, fact(entity("Sumatriptan"), "relieves", entity("Aura")))
    found = asked("hykge", LINKED, graph)
    assert "Sumatriptan relieves Aura" in texts(found) and not found.complete
    assert len(found.problems) == 1


def test_a_search_that_was_cut_off_never_says_that_there_is_no_chain() -> None:
    deadline, stages = until("chains")
    found = asked("hykge", LINKED, FakeGraph(*APART), deadline=deadline, on_stage=stages.append)
    assert not found.complete and len(found.problems) == 1 and "ran out" in found.problems[0]

"""Encoders and re-rankers that fail or are slow: said once, and the rest of the work counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.model import Retrieval
from kg.protocols import NameVectors
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.ranking.fakes import FakeReranker, Flat
from tests.kg.strategies.asked import asked, texts

ULCER, PAIN = entity("Stomach ulcer"), entity("Stomach pain")
GRAPH = FakeGraph(
    fact(PAIN, "affects", entity("Abdomen")),
    fact(ULCER, "affects", entity("Abdomen")),
    fact(ULCER, "may cause", entity("Bleeding")),
    fact(PAIN, "may cause", entity("Worry")),
    fact(entity("Sucralfate"), "treats", ULCER),
)
QUESTION = "What do stomach ulcer and stomach pain have in common?"
AWAY = "The encoder does not answer; evidence is ranked by shared words."
SILENT = "The re-ranker does not answer; the order stays without it."


class Failing(Flat):
    """An encoder that answers so many times."""

    def __init__(self, answers: int = 0) -> None:
        super().__init__()
        self.answers, self.asked = answers, 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += 1
        if self.asked > self.answers:
            raise ModelError(AWAY, chinese="编码器没有回答。")
        return super().encode(texts)


class Silent(FakeReranker):
    """A re-ranker that never answers; `asked` counts."""

    def __init__(self) -> None:
        super().__init__(lambda query, text: 1.0)
        self.asked = 0

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        self.asked += 1
        raise ModelError(SILENT, chinese="重排模型没有回答。")


class Vectors:
    """Stored vectors whose encoder does not answer."""

    delta = 0.9

    def nearest(self, names: Sequence[str], *rest: object, **more: object) -> object:
        raise ModelError(AWAY, chinese="编码器没有回答。")


STRATEGIES = ("kg-rank", "hykge", "auto", "graph-rag")


def plain(strategy: str) -> Retrieval:
    return asked(strategy, QUESTION, GRAPH)


@pytest.mark.parametrize("answers", [0, 1, 2, 3])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_encoder_that_fails_is_said_once_and_asked_no_more(strategy: str, answers: int) -> None:
    encoder = Failing(answers)
    found = asked(strategy, QUESTION, GRAPH, encoder=encoder)
    assert sorted(texts(found)) == sorted(texts(plain(strategy)))
    if encoder.asked > answers:
        assert found.problems == (AWAY,) and encoder.asked == answers + 1
        assert found.parameters.get("encoder", "lexical") == "lexical"
    else:
        assert found.problems == ()
    if answers == 0:
        assert texts(found) == texts(plain(strategy))


@pytest.mark.parametrize("strategy", ["kg-rank", "hykge", "auto"])
def test_a_re_ranker_that_fails_is_said_once_and_asked_no_more(strategy: str) -> None:
    reranker = Silent()
    found = asked(strategy, QUESTION, GRAPH, reranker=reranker)
    assert found.problems == (SILENT,) and reranker.asked == 1
    assert texts(found) == texts(plain(strategy))
    assert found.parameters["reranker"] == "none"


def test_one_that_fails_leaves_the_other_at_work() -> None:
    reranker = FakeReranker(lambda query, text: float("Bleeding" in text))
    found = asked("kg-rank", QUESTION, GRAPH, encoder=Failing(), reranker=reranker)
    assert found.problems == (AWAY,)
    assert "Bleeding" in texts(found)[0] and "rerank" in found.evidence[0].scores
    found = asked("kg-rank", QUESTION, GRAPH, encoder=Flat(), reranker=Silent())
    assert found.problems == (SILENT,)
    assert "similarity" in found.evidence[0].scores


def test_both_that_fail_are_said_once_each() -> None:
    found = asked("hykge", QUESTION, GRAPH, encoder=Failing(), reranker=Silent())
    assert sorted(found.problems) == [AWAY, SILENT]
    assert texts(found) == texts(plain("hykge"))


def test_in_chinese_it_is_said_in_chinese() -> None:
    class Chinese(Failing):
        languages = frozenset({"zh"})

    graph = FakeGraph(fact(entity("胃溃疡"), "症状", entity("腹痛")))
    found = asked("kg-rank", "胃溃疡有什么症状", graph, encoder=Chinese(), language="zh")
    assert found.problems == ("编码器没有回答。",) and len(found.evidence) == 1


@pytest.mark.parametrize("linking", ["names", "embedding"])
def test_linking_goes_on_by_names_when_the_encoder_of_the_vectors_fails(linking: str) -> None:
    question = "What do stomach ulcer, stomach pain and gastric woe have in common?"
    vectors = cast(NameVectors, Vectors())
    found = asked("kg-rank", question, GRAPH, vectors=vectors, settings={"linking": linking})
    assert {one.label for one in found.entities} == {"Stomach ulcer", "Stomach pain"}
    assert found.problems == (AWAY,) and found.evidence


def test_an_encoder_that_the_time_does_not_suffice_for_marks_the_answer_incomplete() -> None:
    many = FakeGraph(*(fact(ULCER, "has symptom", entity(f"Sign {n}")) for n in range(150)))
    question = "What are the symptoms of a stomach ulcer?"
    encoder = Flat()

    class Ending(Deadline):
        """Over when the encoder has read its first batch."""

        @property
        def expired(self) -> bool:
            return len(encoder.encoded) > 60

    found = asked("kg-rank", question, many, encoder=encoder, deadline=Ending.after(60))
    assert not found.complete and len(found.evidence) == 20
    assert sum("encoder had read" in problem for problem in found.problems) == 1
    assert "similarity" in found.evidence[0].scores
    assert asked("kg-rank", question, many, encoder=Flat()).complete


@pytest.mark.parametrize("how", ["nan", "zero", "fewer", "more", "flat"])
def test_vectors_that_are_none_are_said_and_shared_words_rank(how: str) -> None:
    class Wrong(Flat):
        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            right = np.eye(len(texts), 64, dtype=np.float32)
            return {
                "nan": right * np.nan,
                "zero": right * 0,
                "fewer": right[:-1],
                "more": np.concatenate([right, right[:1]]),
                "flat": right[0],
            }[how]

    found = asked("kg-rank", QUESTION, GRAPH, encoder=Wrong())
    assert texts(found) == texts(plain("kg-rank"))
    (problem,) = found.problems
    assert "no usable vectors" in problem and found.parameters["encoder"] == "lexical"


@pytest.mark.parametrize("how", ["nan", "more", "column"])
@pytest.mark.parametrize("strategy", ["kg-rank", "hykge"])
def test_scores_that_are_none_are_said_and_the_order_stays(strategy: str, how: str) -> None:
    class Wrong(FakeReranker):
        def scores(
            self, pairs: Sequence[tuple[str, str]], deadline: Deadline
        ) -> NDArray[np.float32]:
            right = np.linspace(0, 1, len(pairs), dtype=np.float32)
            return {
                "nan": right * np.nan,
                "more": np.concatenate([right, right]),
                "column": right[:, None],
            }[how]

    found = asked(strategy, QUESTION, GRAPH, reranker=Wrong(lambda query, text: 1.0))
    assert texts(found) == texts(plain(strategy))
    (problem,) = found.problems
    assert "no usable scores" in problem and found.parameters["reranker"] == "none"

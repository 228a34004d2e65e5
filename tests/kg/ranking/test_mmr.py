"""MMR against its definition, pair by pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kg.ranking.lexical import lexical_matrix, lexical_vectors
from kg.ranking.mmr import mmr_order, mmr_picks


def by_definition(
    relevance: NDArray[np.float64], vectors: NDArray[np.float64], count: int
) -> list[int]:
    """KG-Rank's loop: λ(S) = 0.1 + 0.01·|S|, the mean over S of sim(t, s), pair by pair."""
    chosen: list[int] = []
    left = list(range(len(relevance)))
    while left and len(chosen) < count:

        def value(t: int) -> float:
            if not chosen:
                return round(float(relevance[t]), 10)
            alike = [
                sum(float(a) * float(b) for a, b in zip(vectors[t], vectors[s], strict=True))
                for s in chosen
            ]
            weight = 0.1 + 0.01 * len(chosen)
            return round(float(relevance[t]) - weight * (sum(alike) / len(alike)), 10)

        best = max(left, key=lambda t: (value(t), -t))
        chosen.append(best)
        left.remove(best)
    return chosen


def unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


# Few different numbers: many equal vectors and equal relevances, so that ties are the rule.
COARSE = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.lists(st.integers(-1, 1), min_size=2, max_size=2), min_size=n, max_size=n),
        st.integers(0, n + 2),
    )
)


@given(COARSE)
@settings(deadline=None)
def test_ties_are_taken_by_index_as_in_the_definition(
    case: tuple[list[int], list[list[int]], int],
) -> None:
    relevance, rows, count = case
    vectors = np.asarray(rows, dtype=np.float64) + np.asarray([0.5, 0.25])
    scores = np.asarray(relevance) / 4
    assert mmr_order(scores, unit(vectors), count) == by_definition(scores, unit(vectors), count)


@given(st.integers(1, 60), st.integers(1, 24), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_the_order_is_that_of_the_definition(n: int, dimensions: int, seed: int) -> None:
    numbers = np.random.default_rng(seed)
    vectors = unit(numbers.normal(size=(n, dimensions)))
    relevance = vectors @ vectors[0]
    assert mmr_order(relevance, vectors, n) == by_definition(relevance, vectors, n)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20)
def test_scores_of_a_reranker_stand_in_for_the_likeness_to_the_question(n: int, seed: int) -> None:
    numbers = np.random.default_rng(seed)
    vectors = unit(numbers.normal(size=(n, 8)))
    given_scores = numbers.uniform(size=n)  # nothing to do with the vectors
    order = mmr_order(given_scores, vectors, n)
    assert order == by_definition(given_scores, vectors, n)
    assert order[0] == int(np.argmax(given_scores))


def test_what_is_unlike_the_first_comes_before_what_repeats_it() -> None:
    vectors = unit(np.asarray([[1.0, 0.0], [1.0, 0.01], [0.0, 1.0]]))
    picks = mmr_picks(np.asarray([0.9, 0.85, 0.8]), vectors, 3)
    assert [index for index, _ in picks] == [0, 2, 1]
    assert picks[0][1] == 0.9
    assert picks[1][1] == pytest.approx(0.8)  # λ(1) = 0.11, and nothing shared
    shared = 0.01 / np.hypot(1, 0.01), 1 / np.hypot(1, 0.01)
    assert picks[2][1] == pytest.approx(0.85 - 0.12 * sum(shared) / 2)


def test_half_precision_and_empty_input() -> None:
    vectors = unit(np.random.default_rng(1).normal(size=(9, 4))).astype(np.float16)
    relevance = np.linspace(0, 1, 9).astype(np.float32)
    wide = mmr_order(relevance.astype(np.float64), vectors.astype(np.float64), 9)
    assert mmr_order(relevance, vectors, 9) == wide
    assert mmr_order(np.zeros(0), np.zeros((0, 4)), 5) == []


def test_n_grams_are_vectors_too() -> None:
    texts = [
        "偏头痛 症状 恶心",
        "偏头痛 症状 恶心呕吐",
        "舒马普坦 治疗 偏头痛",
        "",
        "偏头痛 症状 恶心",
    ]
    vectors = lexical_vectors(texts)
    apart = ~np.eye(len(texts), dtype=bool)
    assert np.allclose((vectors @ vectors.T)[apart], lexical_matrix(texts, texts)[apart])
    assert mmr_order(np.asarray([0.5, 0.5, 0.49, 0.1, 0.5]), vectors, 2) == [0, 2]
    assert lexical_vectors([]).shape[0] == 0

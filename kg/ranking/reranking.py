"""A re-ranker within its time: how many pairs it scores, and what happens when it cannot.

It scores pairs in the order in which they are given until its deadline ends, but in any case the
first few, for which it gets time of its own. One that fails, or whose scores are none, is no error
here: what it scored counts, and the caller hears why there is no more.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.protocols import Reranker
from kg.ranking.hub import model_error

__all__ = ["LEAST_RERANKED", "Scored", "TimedReranker", "scored_in_time"]

LEAST_RERANKED = 20
# What so many may take beyond the deadline: a large model on a busy machine scores one or two a
# second. A question that was stopped ends at once all the same.
LEAST_SECONDS = 30.0


class TimedReranker:
    """A re-ranker that keeps how many `seconds` it took in all."""

    def __init__(self, reranker: Reranker) -> None:
        self.name, self.languages = reranker.name, reranker.languages
        self.seconds = 0.0
        self._reranker = reranker

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.floating]:
        """Those of the re-ranker."""
        began = time.monotonic()
        try:
            return self._reranker.scores(pairs, deadline)
        finally:
            self.seconds += time.monotonic() - began


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of the first pairs, to five decimals, and why there are no more."""

    scores: NDArray[np.float64]
    problem: ModelError | None = None


def scored_in_time(
    reranker: Reranker, pairs: Sequence[tuple[str, str]], deadline: Deadline, least: int
) -> Scored:
    """Score as many pairs as the time allows, and the first `least` in any case.

    One that gives fewer than it could is asked for the rest, so that it says what is wrong.
    """
    scores = np.zeros(0)
    extra: Deadline | None = None
    problem = None
    try:
        while len(scores) < len(pairs) and not deadline.stopped():
            if extra is None and deadline.expired:
                seconds = LEAST_SECONDS * least / LEAST_RERANKED
                extra = Deadline.after(seconds, deadline.stopped)
            if extra and len(scores) >= least:
                break
            rest = pairs[len(scores) : least if extra else None]
            given = _checked(reranker.scores(rest, extra or deadline), len(rest))
            if not len(given) and (extra or not deadline.expired):
                break
            scores = np.concatenate([scores, given])
    except ModelError as error:
        problem = error
    return Scored(np.round(scores, 5), problem)


def _checked(scores: NDArray[np.floating], most: int) -> NDArray[np.floating]:
    if np.ndim(scores) != 1 or len(scores) > most or not np.isfinite(scores).all():
        raise model_error(
            "re-ranker",
            "gave no usable scores: use a cross-encoder that gives one number per pair",
            "没有给出可用的分数：请使用每对文本给出一个分数的交叉编码器",
        )
    return scores

"""Encoders and re-rankers whose answers a test knows beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError

__all__ = ["Broken", "FakeReranker", "Flat", "First", "Tabled", "long", "past"]

ENGLISH = frozenset({"en"})


def long() -> Deadline:
    """A deadline that no test reaches."""
    return Deadline.after(600)


def past() -> Deadline:
    """A deadline that has ended."""
    return Deadline.after(-1)


class Flat:
    """An encoder that finds every text alike; `encoded` keeps what it was given."""

    name = "flat"
    languages = ENGLISH

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        return np.tile(np.asarray([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))


class First(Flat):
    """An encoder that finds the first text and those that hold `word` alike, others not."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        rows = [[1.0, 0.0] if i == 0 or self.word in t else [0.0, 1.0] for i, t in enumerate(texts)]
        return np.asarray(rows, dtype=np.float32)


class Tabled(Flat):
    """An encoder that gives the vector of the first word of its table that a text holds."""

    def __init__(self, **vectors: Sequence[float]) -> None:
        super().__init__()
        self.vectors = vectors

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        found = [next(v for word, v in self.vectors.items() if word in text) for text in texts]
        rows = np.asarray(found, dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Broken(Flat):
    """An encoder whose server is away."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise ModelError("The encoder is away.")


class FakeReranker:
    """Scores by a function of the pair, at most `at_once` a call and `limit` in all.

    With the deadline over it scores nothing, as a real one does. Fails from call `fails_at` (from
    0) on.
    """

    name = "fake"
    languages = ENGLISH

    def __init__(
        self,
        score: Callable[[str, str], float],
        *,
        at_once: int | None = None,
        limit: int | None = None,
        fails_at: int | None = None,
    ) -> None:
        self.score, self.at_once, self.limit, self.fails_at = score, at_once, limit, fails_at
        self.calls: list[list[tuple[str, str]]] = []

    @property
    def read(self) -> list[tuple[str, str]]:
        """All pairs that were scored or asked for, in order."""
        return [pair for call in self.calls for pair in call]

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        if self.fails_at is not None and len(self.calls) >= self.fails_at:
            self.calls.append([])
            raise ModelError("The re-ranker does not answer.")
        done = [] if deadline.expired else list(pairs[: self.at_once])
        done = done if self.limit is None else done[: self.limit - len(self.read)]
        self.calls.append(done)
        return np.asarray([self.score(*pair) for pair in done], dtype=np.float32)

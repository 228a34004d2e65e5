"""Ranking by shared character n-grams with rarity weights: any language, no model.

An n-gram that few of the texts hold weighs more (inverse document frequency over the texts at
hand), so that words common to all triples of an entity do not decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.text import is_cjk, tokens

__all__ = ["lexical_matrix", "lexical_similarity", "lexical_vectors"]


def lexical_similarity(question: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """Cosine of weighted n-gram counts between the question and each text: shape (len(texts),).

    Words give their 3-grams, Chinese gives single characters and pairs. Values are 0 to 1.
    """
    return lexical_matrix([question], texts).ravel()


def lexical_matrix(queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
    """The same for several queries: shape (len(queries), len(texts))."""
    if not queries or not texts:
        return np.zeros((len(queries), len(texts)))
    columns: dict[str, int] = {}
    held = _counted(texts, columns)
    known = len(columns)  # what comes after these, only the queries hold
    asked = _counted(queries, columns)
    weights = _weights(held, len(texts), len(columns))
    shared = np.unique(asked.column[asked.column < known])
    lengths = np.outer(asked.lengths(weights), held.lengths(weights))
    products = asked.dense(weights, shared) @ held.dense(weights, shared).T
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)


def lexical_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """Rows whose products are the cosines between different texts: shape (len(texts), n-grams).

    N-grams that one text alone holds count in its length and have no column, so that the rows are
    short; a row times itself is therefore less than 1.
    """
    columns: dict[str, int] = {}
    held = _counted(texts, columns)
    weights = _weights(held, len(texts), len(columns))
    shared = np.flatnonzero(np.bincount(held.column, minlength=len(columns)) > 1)
    lengths = held.lengths(weights)[:, None]
    rows = held.dense(weights, shared)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


@dataclass(frozen=True, slots=True)
class _Counts:
    """How often each text holds each n-gram; one entry per text and n-gram that it holds."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    count: NDArray[np.int64]
    rows: int

    def lengths(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each text's weighted vector: shape (rows,)."""
        squares = (self.count * weights[self.column]) ** 2
        return np.sqrt(np.bincount(self.row, squares, minlength=self.rows))

    def dense(
        self, weights: NDArray[np.float64], columns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The weighted counts of some n-grams (sorted): shape (rows, len(columns))."""
        place = np.full(len(weights), -1)
        place[columns] = np.arange(len(columns))
        there = place[self.column] >= 0
        matrix = np.zeros((self.rows, len(columns)))
        column = self.column[there]
        matrix[self.row[there], place[column]] = self.count[there] * weights[column]
        return matrix


def _counted(texts: Sequence[str], columns: dict[str, int]) -> _Counts:
    """Count n-grams; new ones get the next column."""
    words: dict[str, list[int]] = {}
    parts = [_columns(text, columns, words) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(part) for part in parts])
    flat = np.asarray([column for part in parts for column in part], dtype=np.int64)
    width = max(1, len(columns))
    entries, count = np.unique(rows * width + flat, return_counts=True)
    return _Counts(entries // width, entries % width, count, len(texts))


def _weights(held: _Counts, texts: int, columns: int) -> NDArray[np.float64]:
    """The rarity of each n-gram: log(1 + (N + 1) / (n + ½)) where n of N texts hold it."""
    holders = np.bincount(held.column, minlength=columns)
    return np.log1p((texts + 1) / (holders + 0.5))


def _columns(text: str, columns: dict[str, int], words: dict[str, list[int]]) -> list[int]:
    """The columns of a text's n-grams, in order; `words` keeps those of words seen before."""
    found: list[int] = []
    previous = ""
    ascii_only = text.isascii()
    for token in tokens(text):
        word = token.folded
        if not ascii_only and is_cjk(word):
            found.append(columns.setdefault(word, len(columns)))
            if previous:
                found.append(columns.setdefault(previous + word, len(columns)))
            previous = word
            continue
        previous = ""
        if word not in words:
            words[word] = [columns.setdefault(gram, len(columns)) for gram in _grams(word)]
        found += words[word]
    return found


def _grams(word: str) -> list[str]:
    padded = f"^{word}$"
    return [padded[i : i + 3] for i in range(max(1, len(padded) - 2))]

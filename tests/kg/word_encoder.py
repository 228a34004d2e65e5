"""An encoder whose vectors are bags of words: texts that share words are near each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from kg.text import tokens

__all__ = ["WordEncoder"]

DIMENSIONS = 256


class WordEncoder:
    """Words named in `same` count as one; `given` keeps what was encoded.

    With `breaks_after`, it fails when so many texts have been encoded.
    """

    def __init__(
        self,
        *same: tuple[str, str],
        name: str = "words",
        languages: tuple[str, ...] = ("en",),
        breaks_after: int | None = None,
    ) -> None:
        self._same = dict(same)
        self._name, self._languages = name, frozenset(languages)
        self._left = breaks_after
        self.given: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def languages(self) -> frozenset[str]:
        return self._languages

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        if self._left is not None and len(self.given) > self._left:
            raise KeyboardInterrupt
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in tokens(text):
                word = self._same.get(token.folded, token.folded)
                row[xxh3_64_intdigest(word.encode()) % DIMENSIONS] += 1.0
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=rows, where=lengths > 0)

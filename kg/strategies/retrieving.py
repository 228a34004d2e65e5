"""A strategy by its name: what it works with, and the one way to run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from kg.errors import BadInput
from kg.model import Retrieval
from kg.strategies import auto, baselines
from kg.strategies.hykge import run_hykge
from kg.strategies.kg_rank import run_kg_rank
from kg.strategies.names import AUTO, EXPLAINED, NEED_A_MODEL, STRATEGIES
from kg.strategies.request import Means, Request
from kg.strategies.run import Run

__all__ = ["retrieve"]


class _Strategy(NamedTuple):
    """How a strategy is run, and the parameters that it works with."""

    run: Callable[[Run], None]
    used: tuple[str, ...]


_LINKING = ("linking", "delta")
_AROUND = (*_LINKING, "keep", "top")
_RANKED = ("ranking", *_AROUND, "reranker", "encoder")
_BETWEEN = ("k", "top_k")
_STRATEGIES = {
    "kg-rank": _Strategy(run_kg_rank, (*_RANKED, "ner", "top_k")),
    "hykge": _Strategy(run_hykge, (*_RANKED, *_BETWEEN, "lc", "oc", "without")),
    "graph-rag": _Strategy(baselines.run_graph_rag, (*_AROUND, *_BETWEEN)),
    "query-expansion": _Strategy(baselines.run_query_expansion, _RANKED[1:]),
    "chain-of-note": _Strategy(baselines.run_chain_of_note, (*_AROUND, *_BETWEEN)),
    "chain-of-knowledge": _Strategy(baselines.run_chain_of_knowledge, (*_RANKED[1:], *_BETWEEN)),
    "base": _Strategy(baselines.run_base, ()),
}
_NO_HYPOTHESIS = {
    "en": "; without a model, so without a hypothesis",
    "zh": "；没有语言模型，因此没有假设答案",
}


def retrieve(name: str, request: Request, means: Means) -> Retrieval:
    """The evidence for one question by the strategy of this name, with the way that led to it.

    Raises BadInput for an unknown name and for a strategy that is nothing without a model, KgError
    when the graph does not answer at all. A deadline that runs out in a stage gives what was found
    until then, marked incomplete. All of it is read of the graph as it is now.
    """
    if name not in STRATEGIES:
        raise BadInput(
            f"There is no strategy {name!r}: use one of {', '.join(STRATEGIES)}.",
            chinese=f"没有名为 {name!r} 的策略：请使用 {'、'.join(STRATEGIES)} 之一。",
        )
    if name in NEED_A_MODEL and means.model is None:
        raise BadInput(
            f"The strategy {name} needs a language model: set GRAPHCITE_MODEL and "
            "GRAPHCITE_MODEL_BASE_URL, or use kg-rank, hykge or graph-rag.",
            chinese=f"策略 {name} 需要语言模型：请设置 GRAPHCITE_MODEL 和 "
            "GRAPHCITE_MODEL_BASE_URL，或改用 kg-rank、hykge、graph-rag。",
        )
    run = Run(request, replace(means, graph=means.graph.pinned()))
    why = EXPLAINED[name][request.language]
    if name == AUTO:
        name, why = auto.choose(run)
        if name == "hykge" and means.model is None:
            why += _NO_HYPOTHESIS[request.language]
    strategy = _STRATEGIES[name]
    strategy.run(run)
    return run.retrieval(name, why, strategy.used)

"""The settings of the strategies, read strictly from NAME=VALUE texts.

Their names are those of the papers: `keep`, `top` are KG-Rank's 200 and 20; `k`, `delta`, `lc`,
`oc`, `top_k` HyKGE's 3 hops, δ, fragment size and overlap, and 10 chains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from kg.errors import BadInput
from kg.model import Retrieval

__all__ = ["PARTS", "RANKINGS", "SETTING_HELP", "Parameters", "unused"]

Ranking = Literal["similarity", "expansion", "mmr"]
RANKINGS: tuple[Ranking, ...] = ("similarity", "expansion", "mmr")
_RECOGNISERS = ("names", "prompt")
_LINKINGS = ("names", "embedding")
# What HyKGE can be run without: the paper's Table 2, fragments, and facts where chains are few.
PARTS = ("ho", "path", "description", "reranker", "fragments", "facts")
_LONGEST_NAME = 500


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a strategy works. Counts are per question unless said otherwise.

    KG-Rank: `ner` finds mentions by the graph's names or by a prompt; `keep` triples per entity
    are encoded and re-ranked, `top` per entity and then overall stay. HyKGE: chains of at most `k`
    hops; names link above `delta` (None: the encoder's own); text is cut into fragments of `lc`
    units with overlap `oc`; `top_k` chains stay; `without` names what is left out. `linking`
    "embedding" is Eq. 1 alone. `reranker` None is the one of the settings.
    """

    ranking: Ranking = "similarity"
    reranker: str | None = None
    ner: str = "names"
    linking: str = "names"
    keep: int = 200
    top: int = 20
    k: int = 3
    top_k: int = 10
    delta: float | None = None
    lc: int = 10
    oc: int = 4
    without: frozenset[str] = frozenset()

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Parameters:
        """Parameters from text; raises BadInput naming what is wrong and what may be set."""
        values: dict[str, object] = {}
        for name, text in given.items():
            if name not in _READERS:
                raise BadInput(
                    f"There is no setting {name!r}: use one of {', '.join(_READERS)}.",
                    chinese=f"没有名为 {name!r} 的设置：可用的有 {'、'.join(_READERS)}。",
                )
            values[name] = _READERS[name](name, text.strip())
        parameters = cls(**cast(Any, values))
        if parameters.oc >= parameters.lc:
            raise BadInput(
                f"oc ({parameters.oc}) must be less than lc ({parameters.lc}): fragments "
                "overlap in part only.",
                chinese=f"oc（{parameters.oc}）必须小于 lc（{parameters.lc}）："
                "片段之间只能部分重叠。",
            )
        return parameters


def unused(given: Iterable[str], retrieval: Retrieval) -> str:
    """One line, in the question's language, on the settings given that its strategy does not use.

    Empty when it uses all of them.
    """
    names = [name for name in given if name not in retrieval.parameters]
    if not names:
        return ""
    if retrieval.language == "zh":
        return f"{retrieval.strategy} 不使用以下设置：{'、'.join(names)}。"
    verb = "is" if len(names) == 1 else "are"
    return f"{', '.join(names)} {verb} not used by {retrieval.strategy}."


def _choice(allowed: tuple[str, ...]) -> Callable[[str, str], str]:
    def read(name: str, text: str) -> str:
        if text not in allowed:
            raise BadInput(
                f"{name} can be {', '.join(allowed)}, not {text!r}.",
                chinese=f"{name} 只能是 {'、'.join(allowed)}，不能是 {text!r}。",
            )
        return text

    return read


def _count(low: int, high: int) -> Callable[[str, str], int]:
    def read(name: str, text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
        if not low <= number <= high:
            raise BadInput(
                f"{name} must be a whole number from {low} to {high}, not {text!r}.",
                chinese=f"{name} 必须是 {low} 到 {high} 的整数，不能是 {text!r}。",
            )
        return number

    return read


def _threshold(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise BadInput(
            f"{name} must be a number from 0 to 1, not {text!r}.",
            chinese=f"{name} 必须是 0 到 1 的数，不能是 {text!r}。",
        )
    return value


def _model(name: str, text: str) -> str:
    if not text or len(text) > _LONGEST_NAME or not text.isprintable():
        raise BadInput(
            f"{name} must be none, medcpt, bge, cohere, a model's name or its folder.",
            chinese=f"{name} 必须是 none、medcpt、bge、cohere、模型名称或其文件夹。",
        )
    return text


def _parts(name: str, text: str) -> frozenset[str]:
    parts = frozenset(part.strip() for part in text.split(",") if part.strip())
    if unknown := sorted(parts - set(PARTS)):
        raise BadInput(
            f"{name} can name {', '.join(PARTS)}, not {unknown[0]!r}.",
            chinese=f"{name} 可以包含 {'、'.join(PARTS)}，不能是 {unknown[0]!r}。",
        )
    return parts


# What each setting is, for help pages.
SETTING_HELP = {
    "ranking": "similarity, expansion (with a model's draft answer) or mmr",
    "reranker": "none, medcpt, bge, cohere, or a cross-encoder's name or folder",
    "ner": "names (the graph's own in the question) or prompt (a model names them)",
    "linking": "names (first, then embedding) or embedding (HyKGE's Eq. 1 alone)",
    "delta": "0 to 1: how near a name must be to be linked by embedding",
    "keep": "facts per entity that are encoded and re-ranked: 200",
    "top": "facts per entity, then overall, that stay: 20",
    "k": "2 to 5: hops of a chain at most: 3",
    "top_k": "chains that stay: 10",
    "lc": "words (Chinese: characters) of a fragment: 10",
    "oc": "of which it shares with the next: 4",
    "without": "leave out of hykge: ho, path, description, reranker, fragments, facts (a,b)",
}

_READERS: dict[str, Callable[[str, str], object]] = {
    "ranking": _choice(RANKINGS),
    "reranker": _model,
    "ner": _choice(_RECOGNISERS),
    "linking": _choice(_LINKINGS),
    "keep": _count(1, 1000),
    "top": _count(1, 1000),
    "k": _count(2, 5),
    "top_k": _count(1, 200),
    "delta": _threshold,
    "lc": _count(2, 1000),
    "oc": _count(0, 999),
    "without": _parts,
}

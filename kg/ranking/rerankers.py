"""Re-rankers by name: cross-encoders of sentence-transformers, and Cohere's API.

A cross-encoder reads question and text together, which costs far more than comparing vectors: it
scores a few pairs at a time and stops when its time is over. Only models that give one score are
re-rankers; language models that answer "yes" or "no" are not supported.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.protocols import Reranker
from kg.ranking.cohere import COHERE, COHERE_MODEL, CohereReranker
from kg.ranking.hub import RankingModelError, load_here_or_from_hub, model_error
from kg.ranking.server import JsonServer
from kg.ranking.weights import refuse_parts

__all__ = [
    "CrossEncoderReranker",
    "RerankerOptions",
    "load_reranker",
    "refuse_other_kinds",
    "source_of",
]

_BOTH = frozenset({"en", "zh"})
# Names of ours → names of the hub, and the languages that the model was trained for. MedCPT read
# PubMed: it is for medical questions.
_KNOWN = {
    "medcpt": ("ncbi/MedCPT-Cross-Encoder", frozenset({"en"})),
    "bge": ("BAAI/bge-reranker-large", _BOTH),
}
# Pairs between two looks at the clock: few at first, more where the model proves fast.
_FIRST_BATCH, _LARGEST_BATCH = 8, 64
_FAST = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """What the settings say. `languages` are those of a model whose own are not known here.

    `offline`: nothing is fetched, and only servers on this machine are asked. `seconds` is the
    longest time for one request to a server, whatever the deadline.
    """

    languages: frozenset[str] = frozenset({"en"})
    offline: bool = False
    cohere_key: str | None = None
    cohere_url: str = COHERE
    cohere_model: str = COHERE_MODEL
    seconds: float = 20.0


def load_reranker(name: str, options: RerankerOptions) -> Reranker:
    """`medcpt`, `bge`, `cohere`, or a cross-encoder by its hub name or folder.

    Loading takes seconds. Raises ModelError with what to do.
    """
    if name == "cohere":
        server = JsonServer(
            options.cohere_url, "re-ranker", options.cohere_key, options.offline, options.seconds
        )
        return CohereReranker(server, options.cohere_model)
    source, languages = source_of(name, options.languages)
    return CrossEncoderReranker(source, languages, offline=options.offline)


def source_of(name: str, given: frozenset[str]) -> tuple[str, frozenset[str]]:
    """The hub's name, or folder, of a cross-encoder, and its languages: `given` where unknown."""
    return _KNOWN.get(name, (name, given))


class CrossEncoderReranker:
    """A cross-encoder with one label, on this machine. Scores are the sigmoid of its logit."""

    def __init__(self, source: str, languages: frozenset[str], *, offline: bool = False) -> None:
        self._languages = languages
        folder = Path(source).expanduser()
        self._name = folder.name if folder.is_dir() else source
        self._lock = Lock()  # a model instance is not safe under concurrent calls
        self._model = load_here_or_from_hub(_cross_encoder, source, "re-ranker", offline=offline)

    @property
    def name(self) -> str:
        """The hub name, or the folder's own."""
        return self._name

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        return self._languages

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        """From 0 to 1 per (query, text), in order; fewer than asked when the time ran out."""
        given: list[NDArray[np.float32]] = []
        done, size = 0, _FIRST_BATCH
        while done < len(pairs) and not deadline.expired:
            began = time.monotonic()
            given.append(self._read(pairs[done : done + size]))
            done += size
            if time.monotonic() - began < _FAST:
                size = min(2 * size, _LARGEST_BATCH)
        return np.concatenate(given) if given else np.zeros(0, dtype=np.float32)

    def _read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import torch

        try:
            with self._lock:
                scores = self._model.predict(
                    list(pairs),
                    batch_size=len(pairs),
                    activation_fn=torch.nn.Sigmoid(),
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        except Exception as error:  # any of torch, transformers or the tokenizer
            raise _broken(type(error).__name__, error) from error
        scores = np.asarray(scores, dtype=np.float32).reshape(-1)
        if not np.isfinite(scores).all():
            raise _broken("no numbers")
        return scores


def _broken(what: str, error: Exception | None = None) -> RankingModelError:
    return model_error(
        "re-ranker",
        f"failed while it read ({what}): use another in GRAPHCITE_RERANKER",
        f"运行出错（{what}）：请在 GRAPHCITE_RERANKER 中改用其他模型",
        error,
    )


def _cross_encoder(source: str, here: bool) -> Any:
    """The model; refuses one that gives no single score, before its weights are read."""
    from sentence_transformers import CrossEncoder
    from transformers import AutoConfig
    from transformers.utils.logging import disable_progress_bar, set_verbosity_error

    disable_progress_bar()  # type: ignore[no-untyped-call]
    config = AutoConfig.from_pretrained(source, local_files_only=here)
    refuse_other_kinds(source, config.architectures or [], config.num_labels)
    set_verbosity_error()  # type: ignore[no-untyped-call]  # refuse_parts says it
    model = CrossEncoder(source, device="cpu", local_files_only=here)
    refuse_parts(model, source, "re-ranker")
    return model


def refuse_other_kinds(source: str, kinds: Sequence[str], labels: int) -> None:
    """Raise ModelError for a model that gives no single score, by what its config.json says."""
    if not any(kind.endswith("ForSequenceClassification") for kind in kinds):
        kind = kinds[0] if kinds else "no known kind of model"
        raise model_error(
            "re-ranker",
            f"{source!r} is no cross-encoder ({kind}): use a sequence classification model "
            "with one label",
            f"{source} 不是交叉编码器（{kind}）：请使用只有一个标签的序列分类模型",
        )
    if labels != 1:
        raise model_error(
            "re-ranker",
            f"{source!r} has {labels} labels: use a cross-encoder with one",
            f"{source} 有 {labels} 个标签：请使用只有一个标签的交叉编码器",
        )

"""Whether a loaded model is whole: what its folder lacks, libraries fill with chance.

Weights that no file holds are drawn at random, and a missing tokenizer knows no word but its marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kg.ranking.hub import Job, model_error

__all__ = ["refuse_parts"]

_FILE = "model.safetensors"
_SHOWN = 3
_FEWEST_KNOWN = 0.5  # share of the model's vocabulary: some pad theirs


def refuse_parts(model: Any, source: str, job: Job) -> None:
    """Raise ModelError for a model of sentence-transformers that lacks weights or its tokenizer.

    `source` is the name that the user gave. Weights in other files than one safetensors (older or
    split ones) are taken as they are.
    """
    network = model.transformers_model
    if network is None:
        return
    lacking = _missing_weights(network, network.config._name_or_path or source)
    if lacking:
        shown = ", ".join(lacking[:_SHOWN])
        raise _not_whole(source, job, f"weights ({shown})", f"权重（{shown}）")
    known, marks = len(model.tokenizer), len(model.tokenizer.all_special_ids)
    if known <= max(marks, _FEWEST_KNOWN * getattr(network.config, "vocab_size", 0)):
        raise _not_whole(source, job, "its tokenizer", "分词器")


def _not_whole(source: str, job: Job, english: str, chinese: str) -> Exception:
    return model_error(
        job,
        f"{source!r} lacks {english}: fetch its folder again, or use another",
        f"{source} 缺少{chinese}：请重新获取其文件夹，或改用其他模型",
    )


def _missing_weights(network: Any, place: str) -> list[str]:
    from safetensors import safe_open
    from transformers.utils.hub import cached_file

    path = cached_file(
        place, _FILE, local_files_only=True, _raise_exceptions_for_missing_entries=False
    )
    if path is None or not Path(path).is_file():
        return []
    with safe_open(path, framework="pt") as file:
        held = frozenset(file.keys())
    return [name for name in network.state_dict() if not _is_held(name, held)]


def _is_held(name: str, held: Iterable[str]) -> bool:
    """A model and its base, saved from either, differ in the first part of the names."""
    rest = name.partition(".")[2]
    return any(one in (name, rest) or one.partition(".")[2] == name for one in held)

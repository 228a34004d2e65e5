"""What `graphcite doctor` says of encoder, stored vectors and re-ranker. Loads no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.findings import Finding
from bot.missing_vectors import missing_vectors
from bot.models import reranker_options
from bot.settings import Settings
from kg.errors import KgError, ModelError
from kg.local.generations import list_sources
from kg.local.vector_files import BuiltBy, VectorFile, opened
from kg.ranking.encoders import languages_of, name_unloaded
from kg.ranking.hub import Job, hub_answers, unreachable
from kg.ranking.unloaded import Unloaded, unloaded_encoder, unloaded_reranker

__all__ = ["examine_models", "hosts_of_models"]

_LANGUAGES = frozenset({"en", "zh"})  # that there are questions in
_NONE = {
    "encoder": "none: evidence is ranked by shared words",
    "re-ranker": "none: the order stays as the encoder gives it",
}


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What the settings say of an encoder or a re-ranker; `setting` names its languages."""

    job: Job
    name: str
    languages: frozenset[str]
    setting: str


def examine_models(settings: Settings) -> Iterator[Finding]:
    """Encoder, stored vectors and re-ranker. The hub is asked where a model is not here."""
    encoder, reranker = _chosen(settings)
    yield _model(encoder, settings)
    yield _vectors(settings)
    yield _model(reranker, settings)


def hosts_of_models(settings: Settings) -> set[str]:
    """The hosts that loading or asking encoder and re-ranker may contact."""
    hosts: set[str] = set()
    for chosen in _chosen(settings):
        try:
            found = _looked_at(chosen, settings)
        except ModelError:  # one that is never asked
            continue
        hosts.update(found.hosts if found else ())
    return hosts


def _chosen(settings: Settings) -> tuple[_Chosen, _Chosen]:
    return (
        _Chosen(
            "encoder",
            settings.encoder,
            frozenset(settings.encoder_languages),
            "GRAPHCITE_ENCODER_LANGUAGES",
        ),
        _Chosen(
            "re-ranker",
            settings.reranker,
            frozenset(settings.reranker_languages),
            "GRAPHCITE_RERANKER_LANGUAGES",
        ),
    )


def _looked_at(chosen: _Chosen, settings: Settings) -> Unloaded | None:
    """What is known of it; None where there is none. Raises ModelError."""
    if chosen.name == "none":
        return None
    if chosen.job == "re-ranker":
        return unloaded_reranker(chosen.name, reranker_options(settings))
    offline, key = settings.offline, settings.encoder_key
    return unloaded_encoder(chosen.name, chosen.languages, offline=offline, key=key)


def _model(chosen: _Chosen, settings: Settings) -> Finding:
    """What an encoder or a re-ranker is, or why it cannot be used."""
    try:
        found = _looked_at(chosen, settings)
    except ModelError as error:
        return Finding(chosen.job, "warning", error.user_message)
    if found is None:
        return Finding(chosen.job, "ok", _NONE[chosen.job])
    if found.fetched and not hub_answers():
        return Finding(chosen.job, "warning", unreachable(chosen.job, found.name).user_message)
    text = f"{found.name}, {found.where}, for {_listed(found.languages)}"
    problem = _problem_of_languages(chosen, found.languages)
    return Finding(chosen.job, "warning" if problem else "ok", text + problem)


def _problem_of_languages(chosen: _Chosen, ranked: frozenset[str]) -> str:
    """What is wrong with the languages in the settings; empty where nothing is."""
    if unknown := chosen.languages - _LANGUAGES:
        return (
            f"; {chosen.setting} names {_listed(unknown)}, which no question is in: "
            f"use {_listed(_LANGUAGES)}."
        )
    if ignored := chosen.languages - ranked:
        return f"; it may not rank {_listed(ignored)}, whatever {chosen.setting} says."
    return ""


def _vectors(settings: Settings) -> Finding:
    """Whether the names of the medical graph have vectors by the encoder of the settings."""
    what, folder = "name vectors", settings.graphs / "medical"
    if settings.encoder == "none":
        return Finding(what, "ok", "not used without an encoder")
    try:
        sources, name = list_sources(folder), name_unloaded(settings.encoder)
    except KgError:  # which is told of the graph, or of the encoder
        sources, name = (), None
    if name is None:
        return Finding(what, "ok", "not looked at: first a graph and an encoder are needed here")
    languages = languages_of(settings.encoder, frozenset(settings.encoder_languages))
    own = BuiltBy(name, languages)
    files = {source.name: opened(folder, own, source) for source in sources}
    missing = [source for source, file in files.items() if file is None]
    if line := missing_vectors(folder, own, missing):
        return Finding(what, "warning", line["en"])
    if missing:
        text = "none: 'graphcite kg vectors' makes them, so that other wordings of names are found"
        return Finding(what, "ok", text)
    return Finding(what, "ok", _built(own, [file for file in files.values() if file]))


def _built(by: BuiltBy, files: list[VectorFile]) -> str:
    return (
        f"{sum(file.count for file in files):,} names by {by.encoder}, for {_listed(by.languages)}"
    )


def _listed(languages: frozenset[str]) -> str:
    return ", ".join(sorted(languages)) or "no language"

"""The models of one running Graphcite: encoder, re-rankers, name vectors, chat model.

Each is loaded by the first caller's thread, under a lock of its own, never at import and never on
the event loop. One that cannot be loaded is a line for the user, and tried again after a minute.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from bot.missing_vectors import missing_vectors
from bot.settings import Settings
from kg.errors import ModelError
from kg.protocols import Encoder, NameVectors, Reranker
from kg.ranking.thresholds import delta_of

if TYPE_CHECKING:
    from bot.language_model import LanguageModel
    from kg.local import LocalGraph
    from kg.local.vectors import StoredVectors
    from kg.ranking.rerankers import RerankerOptions
    from kg.ranking.vector_cache import CachedEncoder

__all__ = ["Loading", "Models", "reranker_options"]

Model = TypeVar("Model")
TRY_AGAIN = 60.0  # seconds after which loading is tried again: the hub, or a folder, may be there


@dataclass(slots=True)
class Loading:
    """What one question had to wait for, in milliseconds, and what it has to do without."""

    problems: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)


class _Loaded(Generic[Model]):
    """A model, once it is loaded, or why it is not."""

    def __init__(self, what: str, load: Callable[[], Model]) -> None:
        self.model: Model | None = None
        self._what, self._load = what, load
        self._lock = Lock()
        self._error: ModelError | None = None
        self._failed = 0.0

    def get(self, language: str, loading: Loading) -> Model | None:
        """The model; None, told in `loading`, where it cannot be loaded."""
        with self._lock:
            if self.model is None and (
                not self._error or self._failed + TRY_AGAIN <= time.monotonic()
            ):
                began = time.perf_counter()
                try:
                    self.model, self._error = self._load(), None
                except ModelError as error:
                    self._error, self._failed = error, time.monotonic()
                taken = (time.perf_counter() - began) * 1000
                loading.timings[f"loading {self._what}"] = round(taken, 2)
            if self._error is not None:
                loading.problems.append(self._error.message(language))
            return self.model


class Models:
    """Loads what the settings name; `close` ends it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._encoder = _Loaded("encoder", self._load_encoder)
        self._rerankers: dict[str, _Loaded[Reranker]] = {}
        self._vectors: dict[frozenset[str] | None, StoredVectors] = {}
        self._rerankers_lock, self._vectors_lock, self._model_lock = Lock(), Lock(), Lock()
        self._language_model: LanguageModel | None = None

    def encoder(self, language: str, loading: Loading) -> Encoder | None:
        """The encoder for a language; None where there is none, or it may not rank this one."""
        if self.settings.encoder == "none" or language not in self._languages():
            return None
        return self._encoder.get(language, loading)

    def _languages(self) -> frozenset[str]:
        """The languages that the encoder of the settings may rank."""
        from kg.ranking.encoders import languages_of

        return languages_of(self.settings.encoder, frozenset(self.settings.encoder_languages))

    def _load_encoder(self) -> CachedEncoder:
        from kg.ranking.encoders import load_encoder
        from kg.ranking.vector_cache import CachedEncoder

        settings = self.settings
        encoder = load_encoder(
            settings.encoder,
            frozenset(settings.encoder_languages),
            offline=settings.offline,
            key=settings.encoder_key,
            # A server that hangs leaves the other half for the graph.
            seconds=settings.turn_seconds / 2,
        )
        return CachedEncoder(encoder, settings.vectors)

    def reranker(self, name: str | None, language: str, loading: Loading) -> Reranker | None:
        """The re-ranker of this name, None for that of the settings."""
        wanted = name or self.settings.reranker
        if wanted == "none":
            return None
        with self._rerankers_lock:
            if wanted not in self._rerankers:
                load = partial(self._load_reranker, wanted)
                self._rerankers[wanted] = _Loaded("re-ranker", load)
        return self._rerankers[wanted].get(language, loading)

    def _load_reranker(self, name: str) -> Reranker:
        from kg.ranking.rerankers import load_reranker

        return load_reranker(name, reranker_options(self.settings))

    def vectors(
        self,
        graph: LocalGraph,
        encoder: Encoder | None,
        language: str,
        loading: Loading,
    ) -> NameVectors | None:
        """The stored vectors of a graph's names; None where `graphcite kg vectors` made none.

        What was built or imported since they were opened is taken up. Names that have none are
        told in one line.
        """
        if encoder is None or not (graph.folder / "vectors").is_dir():
            return None
        from kg.local.vectors import StoredVectors

        with self._vectors_lock:
            known = self._vectors.get(graph.sources)
            if known is None or not known.serves(graph):
                known = StoredVectors(graph, encoder, delta_of(self.settings.encoder))
                # Those of other sources would keep the files of an older generation.
                alike = {k: v for k, v in self._vectors.items() if v.generation == known.generation}
                self._vectors = alike | {graph.sources: known}
        line = missing_vectors(graph.folder, known.built_by, known.missing)
        loading.problems += [line[language]] if line else []
        return known if known.count else None

    def language_model(self) -> LanguageModel | None:
        """The configured chat model; None where answers are composed without one."""
        if self.settings.model is None:
            return None
        with self._model_lock:
            if self._language_model is None:
                from bot.language_model import LanguageModel

                self._language_model = LanguageModel.from_settings(self.settings)
            return self._language_model

    async def aclose(self) -> None:
        """Close the chat model's connections."""
        if self._language_model is not None:
            await self._language_model.close()

    def close(self) -> None:
        """Close the vector cache; an encoder that is still loading has no file open yet."""
        if self._encoder.model is not None:
            self._encoder.model.close()


def reranker_options(settings: Settings) -> RerankerOptions:
    """What the settings say of re-rankers."""
    from kg.ranking.rerankers import RerankerOptions

    return RerankerOptions(
        languages=frozenset(settings.reranker_languages),
        offline=settings.offline,
        cohere_key=settings.cohere_key,
        cohere_url=settings.cohere_base_url,
        seconds=settings.reranker_seconds,
    )

"""The models of one running Graphcite: encoder, re-rankers, name vectors, chat model.

Each is loaded by the first caller's thread, under a lock of its own, never at import and never on
the event loop. One that cannot be loaded is a line for the user, and not tried again.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from bot.settings import Settings
from kg.errors import ModelError
from kg.protocols import Encoder, NameVectors, Reranker
from kg.ranking.thresholds import delta_of

if TYPE_CHECKING:
    from bot.language_model import LanguageModel
    from kg.local.vectors import StoredVectors
    from kg.ranking.vector_cache import CachedEncoder

__all__ = ["Loading", "Models"]


@dataclass(slots=True)
class Loading:
    """What one question had to wait for, in milliseconds, and what it has to do without."""

    problems: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)


class Models:
    """Loads what the settings name; `close` ends it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._encoder_lock, self._reranker_lock = Lock(), Lock()
        self._vectors_lock, self._model_lock = Lock(), Lock()
        self._encoder: CachedEncoder | ModelError | None = None
        self._rerankers: dict[str, Reranker | ModelError] = {}
        self._vectors: dict[frozenset[str], StoredVectors] = {}
        self._language_model: LanguageModel | None = None

    def encoder(self, language: str, loading: Loading) -> Encoder | None:
        """The encoder for a language; None where there is none, or it may not rank this one."""
        settings = self.settings
        if settings.encoder == "none" or language not in self._languages():
            return None
        with self._encoder_lock:
            if self._encoder is None:
                began = time.perf_counter()
                try:
                    self._encoder = self._load_encoder()
                except ModelError as error:
                    self._encoder = error
                loading.timings["loading encoder"] = _since(began)
            if isinstance(self._encoder, ModelError):
                loading.problems.append(self._encoder.message(language))
                return None
            return self._encoder

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
        )
        return CachedEncoder(encoder, settings.vectors)

    def reranker(self, name: str | None, language: str, loading: Loading) -> Reranker | None:
        """The re-ranker of this name, None for that of the settings."""
        wanted = name or self.settings.reranker
        if wanted == "none":
            return None
        with self._reranker_lock:
            if wanted not in self._rerankers:
                began = time.perf_counter()
                try:
                    self._rerankers[wanted] = self._load_reranker(wanted)
                except ModelError as error:
                    self._rerankers[wanted] = error
                loading.timings["loading re-ranker"] = _since(began)
            found = self._rerankers[wanted]
        if isinstance(found, ModelError):
            loading.problems.append(found.message(language))
            return None
        return found

    def _load_reranker(self, name: str) -> Reranker:
        from kg.ranking.rerankers import RerankerOptions, load_reranker

        settings = self.settings
        options = RerankerOptions(
            languages=frozenset(settings.reranker_languages),
            offline=settings.offline,
            cohere_key=settings.cohere_key,
            cohere_url=settings.cohere_base_url,
            seconds=settings.reranker_seconds,
        )
        return load_reranker(name, options)

    def vectors(
        self, folder: Path, sources: Collection[str], encoder: Encoder | None
    ) -> NameVectors | None:
        """The stored vectors of a graph's names; None where `graphcite kg vectors` made none."""
        if encoder is None or not (folder / "vectors").is_dir():
            return None
        from kg.local.generations import current_generation
        from kg.local.vectors import open_vectors

        key = frozenset(sources)
        with self._vectors_lock:
            known = self._vectors.get(key)
            if known is None or known.generation != current_generation(folder):
                known = open_vectors(folder, encoder, delta_of(self.settings.encoder), key or None)
                if known is not None:
                    self._vectors[key] = known
            return known

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
        if self._encoder is not None and not isinstance(self._encoder, ModelError):
            self._encoder.close()


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 2)

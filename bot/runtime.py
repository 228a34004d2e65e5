"""What the program needs once: settings, history, graphs, encoder, chat model.

Everything heavy is loaded by the first caller's thread under a lock, never at import and never
on the event loop. A model that cannot be loaded is a warning that the answer carries.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from bot.history.conversations import History
from bot.settings import Settings, load_settings
from kg.deadline import Deadline
from kg.errors import BadInput, KgError, ModelError
from kg.local import LocalGraph
from kg.protocols import Encoder

if TYPE_CHECKING:
    from bot.language_model import LanguageModel
    from kg.ranking.encoders import CachedEncoder

__all__ = ["Runtime", "runtime"]


class Runtime:
    """The parts of one running Graphcite; `close` ends them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # one lock each: the page must not wait for an encoder that is loading
        self._history_lock, self._graph_lock = Lock(), Lock()
        self._encoder_lock, self._model_lock = Lock(), Lock()
        self._history: History | None = None
        self._graphs: dict[frozenset[str] | None, LocalGraph] = {}
        self._encoder: CachedEncoder | None = None
        self._encoder_problem: str | None = None
        self._encoder_milliseconds = 0.0
        self._language_model: LanguageModel | None = None

    @property
    def history(self) -> History:
        """The history file, opened at first use."""
        with self._history_lock:
            if self._history is None:
                self._history = History(self.settings.database)
            return self._history

    def graph(self, mode: str, sources: Collection[str] = ()) -> LocalGraph:
        """The graph of a mode, in its newest generation, restricted to `sources` if any.

        Raises KgError when there is none yet, or it cannot be read.
        """
        if mode != "medical":
            raise BadInput(
                "Open-domain questions are not set up yet: ask in medical mode.",
                chinese="开放领域提问尚未开通：请使用医学模式。",
            )
        key = frozenset(sources) or None
        with self._graph_lock:
            if key not in self._graphs:
                folder = self.settings.graphs / mode
                self._graphs[key] = LocalGraph(folder, name=mode, sources=key)
            graph = self._graphs[key]
            graph.reload_if_changed()
            return graph

    def encoder(self, language: str) -> tuple[Encoder | None, str | None, float]:
        """The encoder for a language; why there is none; milliseconds that loading it took now.

        An encoder that may not rank this language is not loaded for it, and that is no problem.
        """
        if self.settings.encoder == "none" or language not in self.settings.encoder_languages:
            return None, None, 0.0
        with self._encoder_lock:
            if self._encoder is not None or self._encoder_problem is not None:
                return self._encoder, self._encoder_problem, 0.0
            began = time.perf_counter()
            try:
                self._encoder = self._load_encoder()
            except ModelError as error:
                self._encoder_problem = error.user_message
            return (
                self._encoder,
                self._encoder_problem,
                round((time.perf_counter() - began) * 1000, 2),
            )

    def _load_encoder(self) -> CachedEncoder:
        from kg.ranking.encoders import CachedEncoder, SentenceEncoder

        settings = self.settings
        encoder = SentenceEncoder(
            settings.encoder, frozenset(settings.encoder_languages), offline=settings.offline
        )
        return CachedEncoder(encoder, settings.vectors)

    def language_model(self) -> LanguageModel | None:
        """The configured chat model; None where answers are composed without one."""
        if self.settings.model is None:
            return None
        with self._model_lock:
            if self._language_model is None:
                from bot.language_model import LanguageModel

                self._language_model = LanguageModel.from_settings(self.settings)
            return self._language_model

    def warm(self) -> None:
        """Load what the first question would wait for: encoder, names, Chinese word lists.

        What is wrong with a graph is told when it is asked.
        """
        with suppress(KgError):
            self.graph("medical").mentions("migraine 偏头痛", Deadline.after(30))
        for language in self.settings.encoder_languages:
            self.encoder(language)

    async def aclose(self) -> None:
        """Close the chat model's connections, then all that `close` does."""
        if self._language_model is not None:
            await self._language_model.close()
        self.close()

    def close(self) -> None:
        """Close the history, the graphs and the vector cache."""
        with self._graph_lock:
            for graph in self._graphs.values():
                graph.close()
        with self._history_lock:
            if self._history is not None:
                self._history.close()
        if self._encoder is not None:  # one that is still loading has no file open yet
            self._encoder.close()


@lru_cache(maxsize=1)
def runtime() -> Runtime:
    """The process's runtime, from the settings in force. Raises KgError."""
    return Runtime(load_settings())

"""What the program needs once: settings, history, graphs, models.

Everything heavy is loaded by the first caller's thread under a lock, never at import and never
on the event loop.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from threading import Lock

from bot.history.conversations import History
from bot.models import Loading, Models
from bot.settings import Settings, load_settings
from kg.deadline import Deadline
from kg.errors import BadInput, KgError
from kg.local import LocalGraph

__all__ = ["Runtime", "runtime"]


class Runtime:
    """The parts of one running Graphcite; `close` ends them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.models = Models(settings)
        self._history_lock, self._graph_lock = Lock(), Lock()
        self._history: History | None = None
        self._graphs: dict[frozenset[str] | None, LocalGraph] = {}

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

    def warm(self) -> None:
        """Load what the first question would wait for: encoder, names, Chinese word lists.

        What is wrong with a graph is told when it is asked.
        """
        with suppress(KgError):
            self.graph("medical").mentions("migraine 偏头痛", Deadline.after(30))
        for language in self.settings.encoder_languages:
            self.models.encoder(language, Loading())

    async def aclose(self) -> None:
        """Close the chat model's connections, then all that `close` does."""
        await self.models.aclose()
        self.close()

    def close(self) -> None:
        """Close the history, the graphs and the vector cache."""
        with self._graph_lock:
            for graph in self._graphs.values():
                graph.close()
        with self._history_lock:
            if self._history is not None:
                self._history.close()
        self.models.close()


@lru_cache(maxsize=1)
def runtime() -> Runtime:
    """The process's runtime, from the settings in force. Raises KgError."""
    return Runtime(load_settings())

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
from kg.errors import BadInput, KgError, Unavailable
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
        self.closed: Unavailable | None = None  # what a question under way is told, once closed

    @property
    def history(self) -> History:
        """The history file, opened at first use. Raises Unavailable when all is closed."""
        with self._history_lock:
            if self.closed:
                raise self.closed
            if self._history is None:
                self._history = History(self.settings.database)
            return self._history

    def graph(self, mode: str, sources: Collection[str] = ()) -> LocalGraph:
        """The graph of a mode as it is now, restricted to `sources` if any: for one question.

        Raises KgError when there is none yet, it cannot be read, or all is closed.
        """
        if mode != "medical":
            raise BadInput(
                "Open-domain questions are not set up yet: ask in medical mode.",
                chinese="开放领域提问尚未开通：请使用医学模式。",
            )
        key = frozenset(sources) or None
        with self._graph_lock:
            if self.closed:
                raise self.closed
            graph = self._graphs.get(key)
            if graph is None:
                graph = LocalGraph(self.settings.graphs / mode, name=mode, sources=key)
            graph.reload_if_changed()
            # One that nobody asks any more would keep the files of an older generation.
            current = {k: one for k, one in self._graphs.items() if one.snapshot.is_current}
            self._graphs = current | {key: graph}
            return graph.pinned()

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
        """Close the history, the graphs and the vector cache; questions under way end."""
        self.closed = Unavailable(
            "Graphcite is closing: start it again and ask once more.",
            chinese="Graphcite 正在关闭：请重新启动后再提问。",
        )
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

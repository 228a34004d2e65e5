"""Every error that `kg` raises on purpose.

KgError                     base: `user_message` is safe to show, str(error) is for the log
├── BadInput                a file, name or option that cannot be used as it is
├── NotFound                a graph, source or entity that does not exist
├── BadQuery                SPARQL that does not parse or is not read-only
├── Unavailable             a graph or server that does not answer now (`retry_after` seconds)
│   └── GraphBusy           another import holds the graph
├── GraphTooNew             a graph folder that a newer version has written
├── GraphTooOld             a graph folder that an older version has written
├── DeadlineExceeded        the time of a step ran out
└── ModelError              an encoder, re-ranker or chat model that cannot be used
    ├── Unfinished          a chat model's text that is not there, or breaks off
    └── Unparsed            a chat model's reply that is not in the form that was asked for
"""

from __future__ import annotations

__all__ = [
    "BadInput",
    "BadQuery",
    "DeadlineExceeded",
    "GraphBusy",
    "GraphTooNew",
    "GraphTooOld",
    "KgError",
    "ModelError",
    "NotFound",
    "Unavailable",
    "Unfinished",
    "Unparsed",
]


class KgError(Exception):
    """Something that the user can be told in one line."""

    def __init__(self, user_message: str, detail: str = "", *, chinese: str | None = None) -> None:
        super().__init__(detail or user_message)
        self.user_message = user_message
        self._chinese = chinese

    def message(self, language: str) -> str:
        """The message in a language, in English where there is no translation."""
        return self._chinese or self.user_message if language == "zh" else self.user_message


class BadInput(KgError):
    """A file, a name or an option that cannot be used; the message says what to do."""


class NotFound(KgError):
    """What was asked for by name does not exist."""


class BadQuery(KgError):
    """SPARQL that does not parse, or that would change the graph."""


class Unavailable(KgError):
    """The graph or a server does not answer now; trying again may help."""

    def __init__(
        self,
        user_message: str,
        detail: str = "",
        *,
        retry_after: float | None = None,
        chinese: str | None = None,
    ) -> None:
        super().__init__(user_message, detail, chinese=chinese)
        self.retry_after = retry_after


class GraphBusy(Unavailable):
    """Another import is writing to the graph folder."""


class GraphTooNew(KgError):
    """The graph folder was written by a newer version of Graphcite."""


class GraphTooOld(KgError):
    """The graph folder was written by an older version of Graphcite, in another form."""

    def __init__(self, folder: object, sources: list[str]) -> None:
        names = ", ".join(sources) or "none"
        super().__init__(
            f"The graph in {folder} was made by an older version of Graphcite: import its sources "
            f"again with 'graphcite kg import' ({names}); the first import begins a new graph.",
            chinese=f"{folder} 中的图谱由旧版 Graphcite 生成：请用 graphcite kg import "
            f"重新导入其来源（{names}）；第一次导入会新建图谱。",
        )


class DeadlineExceeded(KgError):
    """A step used up its time."""


class ModelError(KgError):
    """An encoder, re-ranker or chat model cannot be loaded or does not answer."""


class Unfinished(ModelError):
    """A chat model's text that is not there (`begun` False) or breaks off.

    `reason` and `what` (what the text was to be: a noun) are each in English and Chinese.
    """

    def __init__(
        self,
        reason: tuple[str, str] = ("", ""),
        *,
        begun: bool = False,
        what: tuple[str, str] = ("answer", "回答"),
    ) -> None:
        self._reason, self._begun = reason, begun
        english = f"The {what[0]} was cut off" if begun else f"The model gave no {what[0]}"
        chinese = f"{what[1]}中断" if begun else f"语言模型没有给出{what[1]}"
        english += f": {reason[0]}." if reason[0] else "."
        super().__init__(english, chinese=chinese + (f"：{reason[1]}。" if reason[1] else "。"))

    def of(self, what: tuple[str, str]) -> Unfinished:
        """The same of another text."""
        return Unfinished(self._reason, begun=self._begun, what=what)


class Unparsed(ModelError):
    """A chat model did not reply in the form that was asked for, not even when asked again."""

"""What went wrong at a language model's server, in one line that says what to do.

Neither the key nor a URL with credentials nor the server's own words get into a user message; the
server's words go, without the key, into the error's detail for the log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.settings import Settings
from kg.errors import ModelError
from kg.text import clean_label
from kg.web_address import host_of, is_this_machine, shown_address, web_parts

__all__ = [
    "Server",
    "cut_off",
    "described",
    "garbled",
    "no_answer",
    "not_asked",
    "timed_out",
    "unreachable",
]

_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size|exceed)|too (?:long|many tokens)|maximum.{0,20}tokens"
    r"|exceeds?.{0,30}(?:context|tokens)|n_ctx",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"quota|billing|balance|credit|insufficient", re.IGNORECASE)
_RATE = re.compile(r"rate.?limit|too many requests|slow down|overloaded", re.IGNORECASE)
_KEY = re.compile(r"api.?key|unauthori[sz]ed|authentication", re.IGNORECASE)
_ENDPOINT = re.compile(r"endpoint|not found|unknown url|no route|cannot post", re.IGNORECASE)


OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Server:
    """Where the model is: for messages, without credentials, path or query."""

    base_url: str
    model: str
    key: str | None = None
    offline: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Server:
        """The server that the settings name. The OPENAI_* variables name nothing here."""
        url = settings.model_base_url or OPENAI
        return cls(url, settings.model or "", settings.model_key, settings.offline)

    @property
    def host(self) -> str:
        """The host's name in lower case; empty when the base URL is no web address."""
        return host_of(self.base_url)

    @property
    def address(self) -> str:
        """Host and port."""
        parts, shown = web_parts(self.base_url), shown_address(self.base_url)
        if parts is None or parts.port:
            return shown
        return f"{shown}:{443 if parts.scheme == 'https' else 80}"

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return is_this_machine(self.host)

    @property
    def refusal(self) -> ModelError | None:
        """Why this server must not or cannot be asked at all; None when it can."""
        if not self.host:
            return self.error(
                "GRAPHCITE_MODEL_BASE_URL is no web address: "
                "write it like http://127.0.0.1:8080/v1.",
                chinese="GRAPHCITE_MODEL_BASE_URL 不是网址：请写成 http://127.0.0.1:8080/v1 这样。",
            )
        if self.offline and not self.is_local:
            return self.error(
                f"GRAPHCITE_OFFLINE is set, so the model server at {self.host} is not asked.",
                chinese=f"已设置 GRAPHCITE_OFFLINE，因此不会询问 {self.host} 上的模型服务器。",
            )
        return None

    @property
    def hint(self) -> str:
        """What is likely wrong with the base URL; empty when it looks right."""
        parts = web_parts(self.base_url)
        if parts is None or re.search(r"/v\d", parts.path):
            return ""
        likely = f"{parts.scheme}://{self.address}{parts.path.rstrip('/')}/v1"
        return f" GRAPHCITE_MODEL_BASE_URL has no /v1: it is probably {likely}."

    def scrubbed(self, text: str) -> str:
        """The text without the key and without anything that looks like one."""
        if self.key:
            text = text.replace(self.key, "…")
        text = re.sub(r"//[^/@\s]+@", "//", text)
        return re.sub(r"\b(sk|key)-[\w*-]{6,}", "…", text)[:500]

    def error(self, message: str, detail: str = "", *, chinese: str | None = None) -> ModelError:
        """A ModelError with this user message; the detail is scrubbed."""
        return ModelError(message, self.scrubbed(f"{message} {detail}".strip()), chinese=chinese)


def described(
    server: Server, status: int | None, text: str, models: tuple[str, ...] = ()
) -> ModelError:
    """The error for an HTTP status and what the server said (also inside a 200)."""
    where = f"The language model server at {server.address}"
    if status in (401, 403) or (status in (None, 200, 400) and _KEY.search(text)):
        message = f"{where} refused the key: check GRAPHCITE_MODEL_KEY."
    elif status in (402, 429) and _QUOTA.search(text) and not _RATE.search(text):
        message = f"{where} says that the quota is used up: check its plan and billing."
    elif status == 429 or _RATE.search(text):
        message = f"{where} gets too many requests: try again in a while."
    elif status == 413 or _TOO_LONG.search(text):
        message = (
            "Question and evidence are too long for the model's context: "
            "ask for less, or use a model with a larger context."
        )
    elif models and server.model not in models and status in (None, 200, 400, 404):
        known = ", ".join(clean_label(model)[:80] for model in models[:10])
        known += ", …" if len(models) > 10 else ""
        message = f"{where} has no model {server.model}: set GRAPHCITE_MODEL to one of {known}."
    elif status == 404 or (status in (None, 200) and _ENDPOINT.search(text)):
        message = f"{where} does not answer chat requests at this address.{server.hint}"
    elif status is not None and 300 <= status < 400:
        message = f"{where} has moved: set GRAPHCITE_MODEL_BASE_URL to its new address."
    elif status is not None and status >= 500:
        message = f"{where} failed (status {status}): try again, or look at its log."
    elif status in (None, 200):
        message = f"{where} reported an error instead of an answer.{server.hint}"
    else:
        message = f"{where} refused the request (status {status})."
    return server.error(message, text)


def unreachable(server: Server, detail: str) -> ModelError:
    """No connection at all."""
    return server.error(
        f"The language model server at {server.address} is not reachable: "
        f"is it running, and is GRAPHCITE_MODEL_BASE_URL right?{server.hint}",
        detail,
    )


def timed_out(server: Server, seconds: float) -> ModelError:
    """The time for one call is used up."""
    return server.error(
        f"The language model at {server.address} did not finish within {seconds:g} seconds "
        "(GRAPHCITE_MODEL_SECONDS)."
    )


def not_asked(server: Server, detail: str) -> ModelError:
    """The request could not even be made."""
    return server.error(
        f"The language model server at {server.address} could not be asked: "
        "check GRAPHCITE_MODEL_BASE_URL and GRAPHCITE_MODEL_KEY.",
        detail,
        chinese=f"无法询问 {server.address} 上的语言模型服务器："
        "请检查 GRAPHCITE_MODEL_BASE_URL 和 GRAPHCITE_MODEL_KEY。",
    )


def garbled(server: Server, detail: str) -> ModelError:
    """What came is no answer in the form that was asked for."""
    return server.error(
        f"The language model server at {server.address} sent something that is no answer: "
        "look at its log.",
        detail,
        chinese=f"{server.address} 上的语言模型服务器发来的不是回答：请查看它的日志。",
    )


_NO_ANSWER = {
    "length": "its thoughts used up all tokens (GRAPHCITE_MODEL_MAX_TOKENS)",
    "content_filter": "its content filter stopped it",
    "tool_calls": "it asked for a tool instead",
    "function_call": "it asked for a tool instead",
    "refusal": "it refused",
}
_CUT_OFF = {
    "length": "it reached the longest answer allowed (GRAPHCITE_MODEL_MAX_TOKENS)",
    "content_filter": "the model's content filter stopped it",
    "tool_calls": "the model asked for a tool",
    "function_call": "the model asked for a tool",
    "refusal": "the model refused to go on",
}


def no_answer(server: Server, finish: str | None) -> ModelError:
    """The call ended without a word of answer."""
    reason = _NO_ANSWER.get(finish or "")
    return server.error("The model gave no answer" + (f": {reason}." if reason else "."))


def cut_off(server: Server, finish: str | None) -> ModelError:
    """The answer ended before its end."""
    reason = _CUT_OFF.get(finish or "", "the server ended it early")
    return server.error(f"The answer was cut off: {reason}.")

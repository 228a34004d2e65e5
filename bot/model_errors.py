"""What went wrong at a language model's server, in one line that says what to do.

Neither the key nor a URL with credentials nor the server's own words get into a user message; the
server's words go, without the key, into the error's detail for the log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from kg.errors import ModelError

__all__ = ["Server", "cut_off", "described", "error_text", "no_answer", "timed_out", "unreachable"]

_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size|exceed)|too (?:long|many tokens)|maximum.{0,20}tokens"
    r"|exceeds?.{0,30}(?:context|tokens)|n_ctx",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"quota|billing|balance|credit|insufficient", re.IGNORECASE)
_RATE = re.compile(r"rate.?limit|too many requests|slow down|overloaded", re.IGNORECASE)
_KEY = re.compile(r"api.?key|unauthori[sz]ed|authentication", re.IGNORECASE)
_ENDPOINT = re.compile(r"endpoint|not found|unknown url|no route|cannot post", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Server:
    """Where the model is: for messages, without credentials, path or query."""

    base_url: str
    model: str
    key: str | None = None

    @property
    def address(self) -> str:
        """Host and port."""
        parts = urlsplit(self.base_url)
        try:
            port = parts.port
        except ValueError:
            port = None
        return f"{parts.hostname or '?'}:{port or (443 if parts.scheme == 'https' else 80)}"

    @property
    def hint(self) -> str:
        """What is likely wrong with the base URL; empty when it looks right."""
        parts = urlsplit(self.base_url)
        if re.search(r"/v\d", parts.path):
            return ""
        likely = f"{parts.scheme}://{self.address}{parts.path.rstrip('/')}/v1"
        return f" GRAPHCITE_MODEL_BASE_URL has no /v1: it is probably {likely}."

    def scrubbed(self, text: str) -> str:
        """The text without the key and without anything that looks like one."""
        if self.key:
            text = text.replace(self.key, "…")
        text = re.sub(r"//[^/@\s]+@", "//", text)
        return re.sub(r"\b(sk|key)-[\w*-]{6,}", "…", text)[:500]

    def error(self, message: str, detail: str = "") -> ModelError:
        """A ModelError with this user message; the detail is scrubbed."""
        return ModelError(message, self.scrubbed(f"{message} {detail}".strip()))


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
        known = ", ".join(models[:10]) + (", …" if len(models) > 10 else "")
        message = f"{where} has no model {server.model}: set GRAPHCITE_MODEL to one of {known}."
    elif status == 404 or (status in (None, 200) and _ENDPOINT.search(text)):
        message = f"{where} does not answer chat requests at this address.{server.hint}"
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


def error_text(body: Any) -> tuple[int | None, str]:
    """The code and the words in an error body, whatever its shape."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            code = inner.get("code") or inner.get("status")
            words = [str(inner[k]) for k in ("message", "type", "code", "detail") if inner.get(k)]
            number = code if isinstance(code, int) else None
            if number is None and isinstance(code, str) and code.isdigit():
                number = int(code)
            return number, " ".join(words) or str(inner)
        return None, str(inner)
    return None, str(body or "")

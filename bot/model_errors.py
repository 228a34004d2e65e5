"""What went wrong at a language model's server, in one line that says what to do.

Neither the key nor a URL with credentials nor the server's own words get into a user message; the
server's words go, without the key, into the error's detail for the log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.settings import Settings
from kg.errors import ModelError, Unfinished
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
    def hint(self) -> tuple[str, str]:
        """What is likely wrong with the base URL, in English and Chinese; empty when nothing is."""
        parts = web_parts(self.base_url)
        if parts is None or re.search(r"/v\d", parts.path):
            return "", ""
        likely = f"{parts.scheme}://{self.address}{parts.path.rstrip('/')}/v1"
        return (
            f" GRAPHCITE_MODEL_BASE_URL has no /v1: it is probably {likely}.",
            f"GRAPHCITE_MODEL_BASE_URL 中没有 /v1：可能应为 {likely}。",
        )

    def scrubbed(self, text: str) -> str:
        """The text without the key and without anything that looks like one."""
        if self.key:
            text = text.replace(self.key, "…")
        text = re.sub(r"//[^/@\s]+@", "//", text)
        return re.sub(r"\b(sk|key)-[\w*-]{6,}", "…", text)[:500]

    def error(self, message: str, detail: str = "", *, chinese: str | None = None) -> ModelError:
        """A ModelError with this user message; the detail is scrubbed."""
        return ModelError(message, self.scrubbed(f"{message} {detail}".strip()), chinese=chinese)


# What a server's refusal means, in English and Chinese.
_REFUSED = {
    "key": (
        "{where} refused the key: check GRAPHCITE_MODEL_KEY.",
        "{where}拒绝了密钥：请检查 GRAPHCITE_MODEL_KEY。",
    ),
    "quota": (
        "{where} says that the quota is used up: check its plan and billing.",
        "{where}表示额度已用完：请检查其套餐和账单。",
    ),
    "rate": (
        "{where} gets too many requests: try again in a while.",
        "{where}收到的请求过多：请稍后再试。",
    ),
    "too long": (
        "Question and evidence are too long for the model's context: "
        "ask for less, or use a model with a larger context.",
        "问题和证据超出了模型的上下文长度：请缩小提问范围，或使用上下文更大的模型。",
    ),
    "model": (
        "{where} has no model {model}: set GRAPHCITE_MODEL to one of {known}.",
        "{where}没有模型 {model}：请把 GRAPHCITE_MODEL 设为其中之一：{known}。",
    ),
    "endpoint": (
        "{where} does not answer chat requests at this address.{hint}",
        "{where}在这个网址上不回答对话请求。{hint}",
    ),
    "moved": (
        "{where} has moved: set GRAPHCITE_MODEL_BASE_URL to its new address.",
        "{where}已迁移：请把 GRAPHCITE_MODEL_BASE_URL 设为新网址。",
    ),
    "failed": (
        "{where} failed (status {status}): try again, or look at its log.",
        "{where}出错（状态码 {status}）：请重试，或查看它的日志。",
    ),
    "error": (
        "{where} reported an error instead of an answer.{hint}",
        "{where}返回了错误，而不是回答。{hint}",
    ),
    "refused": (
        "{where} refused the request (status {status}).",
        "{where}拒绝了请求（状态码 {status}）。",
    ),
}


def described(
    server: Server, status: int | None, text: str, models: tuple[str, ...] = ()
) -> ModelError:
    """The error for an HTTP status and what the server said (also inside a 200)."""
    english, chinese = _REFUSED[_refusal(server, status, text, models)]
    known = ", ".join(clean_label(model)[:80] for model in models[:10])
    values = {
        "model": server.model,
        "known": known + (", …" if len(models) > 10 else ""),
        "status": status,
    }
    hint = server.hint
    where = f"The language model server at {server.address}"
    message = english.format(where=where, hint=hint[0], **values)
    where = f"{server.address} 上的语言模型服务器"
    return server.error(message, text, chinese=chinese.format(where=where, hint=hint[1], **values))


def _refusal(server: Server, status: int | None, text: str, models: tuple[str, ...]) -> str:
    """Which of `_REFUSED` it is."""
    if status in (401, 403) or (status in (None, 200, 400) and _KEY.search(text)):
        return "key"
    if status in (402, 429) and _QUOTA.search(text) and not _RATE.search(text):
        return "quota"
    if status == 429 or _RATE.search(text):
        return "rate"
    if status == 413 or _TOO_LONG.search(text):
        return "too long"
    if models and server.model not in models and status in (None, 200, 400, 404):
        return "model"
    if status == 404 or (status in (None, 200) and _ENDPOINT.search(text)):
        return "endpoint"
    if status is not None and 300 <= status < 400:
        return "moved"
    if status is not None and status >= 500:
        return "failed"
    return "error" if status in (None, 200) else "refused"


def unreachable(server: Server, detail: str) -> ModelError:
    """No connection at all."""
    english, chinese = server.hint
    return server.error(
        f"The language model server at {server.address} is not reachable: "
        f"is it running, and is GRAPHCITE_MODEL_BASE_URL right?{english}",
        detail,
        chinese=f"无法连接 {server.address} 上的语言模型服务器："
        f"它是否在运行，GRAPHCITE_MODEL_BASE_URL 是否正确？{chinese}",
    )


def timed_out(server: Server, seconds: float) -> ModelError:
    """The time for one call is used up."""
    return server.error(
        f"The language model at {server.address} did not finish within {seconds:g} seconds "
        "(GRAPHCITE_MODEL_SECONDS).",
        chinese=f"{server.address} 上的语言模型没有在 {seconds:g} 秒内完成"
        "（GRAPHCITE_MODEL_SECONDS）。",
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


_TOOL = ("the model asked for a tool", "模型要求调用工具")
# Why a text ends before its end, or never begins, by the server's own word for it.
_REASONS = {
    "content_filter": ("the model's content filter stopped it", "模型的内容过滤器将其拦下"),
    "tool_calls": _TOOL,
    "function_call": _TOOL,
    "refusal": ("the model refused", "模型拒绝回答"),
}
_EARLY = ("the server ended it early", "服务器提前结束了输出")
# Where the limit ended it: that of the settings, and a limit that only this call has.
_THOUGHTS = {
    True: (
        "its thoughts used up all tokens (GRAPHCITE_MODEL_MAX_TOKENS)",
        "思考过程用完了全部词元（GRAPHCITE_MODEL_MAX_TOKENS）",
    ),
    False: ("its thoughts used up all tokens", "思考过程用完了全部词元"),
}
_LONGEST = {
    True: (
        "it reached the longest answer allowed (GRAPHCITE_MODEL_MAX_TOKENS)",
        "已达到允许的最大长度（GRAPHCITE_MODEL_MAX_TOKENS）",
    ),
    False: ("it grew too long", "长度超出限制"),
}


def no_answer(finish: str | None, *, as_set: bool) -> Unfinished:
    """The call ended without a word. `as_set`: its length was that of the settings."""
    if finish == "length":
        return Unfinished(_THOUGHTS[as_set])
    return Unfinished(_REASONS.get(finish or "", ("", "")))


def cut_off(finish: str | None, *, as_set: bool) -> Unfinished:
    """The text ended before its end. `as_set`: its length was that of the settings."""
    if finish == "length":
        return Unfinished(_LONGEST[as_set], begun=True)
    return Unfinished(_REASONS.get(finish or "", _EARLY), begun=True)

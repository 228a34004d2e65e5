"""JSON posted to a model server: one request, bounded in time and size, nothing followed.

For re-rankers and embeddings. Only the server of the base URL is asked, a proxy of the environment
never stands between us and this machine, and each failure is a ModelError with one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from kg.deadline import Deadline
from kg.errors import ModelError
from kg.ranking.hub import Job, model_error
from kg.web_address import host_of, is_this_machine, shown_address

__all__ = ["JsonServer"]

_LONGEST_BODY = 32_000_000  # bytes: 64 vectors of 4,096 numbers, each as text
_LOOK = 0.05  # seconds between two looks at the deadline while a request is under way


@dataclass(frozen=True, slots=True)
class JsonServer:
    """Where a model is. `seconds` is the longest time for one request, whatever the deadline."""

    base_url: str
    job: Job
    key: str | None = None
    offline: bool = False
    seconds: float = 20.0

    @property
    def host(self) -> str:
        """The host's name in lower case; empty when the base URL is no web address."""
        return host_of(self.base_url)

    @property
    def address(self) -> str:
        """Host and, where it is written, port: for names and messages."""
        return shown_address(self.base_url)

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return is_this_machine(self.host)

    def refuse_what_cannot_be_asked(self) -> None:
        """Raise ModelError where the settings or `offline` forbid any request."""
        if not self.host:
            raise self.error(
                "address is no web address: write it like https://host/v1", "地址不是网址"
            )
        if self.offline and not self.is_local:
            raise self.error(
                f"at {self.host} is not asked while offline", f"离线时不会询问 {self.host}"
            )
        if self.key and not (self.key.isascii() and self.key.isprintable()):
            raise self.error("key holds characters that no key has", "密钥含有无效字符")
        if self.key and not self.is_local and self.base_url.lower().startswith("http:"):
            raise self.error(
                f"at {self.host} would get the key unencrypted: write https:// in its address",
                f"向 {self.host} 发送密钥须加密：请在地址中使用 https://",
            )

    def post(self, path: str, body: object, deadline: Deadline) -> Any:
        """What the server answers, as Python values. Raises ModelError."""
        self.refuse_what_cannot_be_asked()
        until = deadline.within(self.seconds)
        answer = _in_time(lambda: self._sent(path, body, until), until)
        if answer is None:
            raise self.error(
                f"at {self.address} did not answer in time", f"{self.address} 未及时应答"
            )
        if isinstance(answer, ModelError):
            raise answer
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise self.garbled("no JSON", error) from error

    def garbled(self, what: str, error: Exception | None = None) -> ModelError:
        """The error for an answer that is not what was asked for."""
        return self.error(
            f"at {self.address} gave an answer that cannot be used ({what})",
            f"{self.address} 的应答无法使用（{what}）",
            error,
        )

    def error(self, english: str, chinese: str, error: Exception | None = None) -> ModelError:
        """The error for this server."""
        return model_error(self.job, english, chinese, error)

    def _sent(self, path: str, body: object, until: Deadline) -> bytes | ModelError | None:
        """The body of the answer; None when the time ran out."""
        import httpx2

        headers = {"accept": "application/json", "accept-encoding": "identity"}
        headers |= {"authorization": f"Bearer {self.key}"} if self.key else {}
        url = f"{self.base_url.rstrip('/')}/{path}"
        try:
            with (
                httpx2.Client(
                    trust_env=not self.is_local, follow_redirects=False, timeout=until.remaining
                ) as client,
                client.stream("POST", url, json=body, headers=headers) as response,
            ):
                if response.status_code != 200:
                    return self._refused(response.status_code)
                received = bytearray()
                for part in response.iter_bytes():
                    received += part
                    if len(received) > _LONGEST_BODY:
                        return self.garbled("too long")
                    if until.expired:
                        return None
                return bytes(received)
        except httpx2.TimeoutException:
            return None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
            return self.error(
                f"at {self.address} cannot be reached", f"无法连接 {self.address}", error
            )

    def _refused(self, status: int) -> ModelError:
        """What an HTTP status other than 200 means."""
        if status in (401, 403):
            english, chinese = "refused the key: check it in the settings", "拒绝了密钥，请检查设置"
        elif status == 404:
            english = "has no such model or address: check both in the settings"
            chinese = "没有该模型或地址，请检查设置"
        elif status == 429:
            english, chinese = "takes no more requests now", "请求过多，暂不接受"
        elif 300 <= status < 400:
            english = "sends elsewhere, which is not followed: check its address"
            chinese = "要求转往别处（不会跟随），请检查地址"
        elif status >= 500:
            english, chinese = f"has a problem of its own (status {status})", f"出错（{status}）"
        else:
            english, chinese = f"refused the request (status {status})", f"拒绝请求（{status}）"
        return self.error(f"at {self.address} {english}", f"{self.address} {chinese}")


def _in_time(
    work: Callable[[], bytes | ModelError | None], until: Deadline
) -> bytes | ModelError | None:
    """What `work` gives; None when the time is over or the question was stopped first.

    It runs in a thread of its own: neither a slow name server nor headers that come byte by byte
    can hold the question up. What comes too late is dropped.
    """
    results: SimpleQueue[bytes | ModelError | BaseException | None] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # handed over, so that no failure is lost in the thread
            results.put(error)

    Thread(target=run, name="model request", daemon=True).start()
    while not until.expired:
        try:
            result = results.get(timeout=_LOOK)
        except Empty:
            continue
        if isinstance(result, BaseException) and not isinstance(result, ModelError):
            raise result
        return result
    return None

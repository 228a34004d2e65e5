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
from kg.ranking.hub import Job, RankingModelError, model_error
from kg.web_address import host_of, is_this_machine, shown_address

__all__ = ["JsonServer"]

_LONGEST_BODY = 32_000_000  # bytes: 64 vectors of 4,096 numbers, each as text
_LOOK = 0.05  # seconds between two looks at the deadline while a request is under way


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings that say where a server is and what it is given."""

    address: str
    key: str


_SETTINGS = {
    "encoder": _Settings("GRAPHCITE_ENCODER", "GRAPHCITE_ENCODER_KEY"),
    "re-ranker": _Settings("GRAPHCITE_COHERE_BASE_URL", "GRAPHCITE_COHERE_KEY"),
}


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

    @property
    def key_setting(self) -> str:
        """The name of the setting that holds the key."""
        return _SETTINGS[self.job].key

    def refuse_what_cannot_be_asked(self) -> None:
        """Raise ModelError where the settings or `offline` forbid any request."""
        setting = _SETTINGS[self.job]
        if not self.host:
            raise self.error(
                f"address is no web address: write {setting.address} like https://host/v1",
                f"地址不是网址：请把 {setting.address} 写成 https://主机/v1 这样",
            )
        if self.offline and not self.is_local:
            raise self.error(
                f"at {self.host} is not asked while offline: unset GRAPHCITE_OFFLINE to ask it",
                f"离线时不会询问 {self.host}：如需询问，请取消 GRAPHCITE_OFFLINE",
            )
        if self.key and not (self.key.isascii() and self.key.isprintable()):
            raise self.error(
                f"key holds characters that no key has: check {setting.key}",
                f"密钥含有无效字符：请检查 {setting.key}",
            )
        if self.key and not self.is_local and self.base_url.lower().startswith("http:"):
            raise self.error(
                f"at {self.host} would get the key unencrypted: write https:// in "
                f"{setting.address}",
                f"向 {self.host} 发送密钥须加密：请在 {setting.address} 中使用 https://",
            )

    def post(self, path: str, body: object, deadline: Deadline) -> Any:
        """What the server answers, as Python values. Raises ModelError."""
        self.refuse_what_cannot_be_asked()
        until = deadline.within(self.seconds)
        answer = _in_time(lambda: self._sent(path, body, until), until)
        if answer is None:
            raise self._too_slow()
        if isinstance(answer, ModelError):
            raise answer
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise self.garbled("no JSON", "不是 JSON", error) from error

    def garbled(
        self, english: str, chinese: str, error: Exception | None = None
    ) -> RankingModelError:
        """The error for an answer that is not what was asked for; the texts say what it is."""
        setting = _SETTINGS[self.job].address
        return self.error(
            f"at {self.address} gave an answer that cannot be used ({english}): check {setting}",
            f"{self.address} 的应答无法使用（{chinese}）：请检查 {setting}",
            error,
        )

    def error(
        self, english: str, chinese: str, error: Exception | None = None
    ) -> RankingModelError:
        """The error for this server."""
        return model_error(self.job, english, chinese, error)

    def _too_slow(self) -> RankingModelError:
        if self.job == "re-ranker":
            return self.error(
                f"at {self.address} did not answer in time: ask again, or give it more in "
                "GRAPHCITE_RERANKER_SECONDS",
                f"{self.address} 未及时应答：请重试，或调大 GRAPHCITE_RERANKER_SECONDS",
            )
        return self.error(
            f"at {self.address} did not answer within {self.seconds:g} seconds: look what keeps "
            "it busy, or use a smaller model",
            f"{self.address} 在 {self.seconds:g} 秒内没有应答：请查看其负载，或改用较小的模型",
        )

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
                        return self.garbled("too long", "过长")
                    if until.expired:
                        return None
                return bytes(received)
        except httpx2.TimeoutException:
            return None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
            setting = _SETTINGS[self.job].address
            return self.error(
                f"at {self.address} cannot be reached: see that it runs, and check {setting}",
                f"无法连接 {self.address}：请确认它在运行，并检查 {setting}",
                error,
            )

    def _refused(self, status: int) -> RankingModelError:
        """What an HTTP status other than 200 means."""
        setting = _SETTINGS[self.job]
        if status in (401, 403) and self.key:
            english = f"refused the key: check {setting.key}"
            chinese = f"拒绝了密钥：请检查 {setting.key}"
        elif status in (401, 403):
            english, chinese = (
                f"asks for a key: set {setting.key}",
                f"需要密钥：请设置 {setting.key}",
            )
        elif status == 404:
            english = f"has no such model or address: check {setting.address}"
            chinese = f"没有该模型或地址：请检查 {setting.address}"
        elif status == 429:
            english = (
                "takes no more requests now: ask again in a minute, or look at the key's limits"
            )
            chinese = "请求过多，暂不接受：请一分钟后再试，或查看密钥的限额"
        elif 300 <= status < 400:
            english = f"sends elsewhere, which is not followed: check {setting.address}"
            chinese = f"要求转往别处（不会跟随）：请检查 {setting.address}"
        elif status >= 500:
            english = f"has a problem of its own (status {status}): ask again in a while"
            chinese = f"出错（{status}）：请稍后再试"
        else:
            english = f"refused the request (status {status}): check {setting.address}"
            chinese = f"拒绝请求（{status}）：请检查 {setting.address}"
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

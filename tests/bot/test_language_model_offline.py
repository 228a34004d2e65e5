"""Only the server that the settings name is asked, and offline only one on this machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.doctor import examine, hosts_contacted
from bot.language_model import LanguageModel
from bot.model_errors import Server
from bot.runtime import Runtime
from bot.settings import Settings, load_settings
from kg.errors import ModelError
from tests.fakes import FakeModel, Script, chat

ASK = [{"role": "user", "content": "What treats migraine?"}]


def settings(home: Path, **variables: str) -> Settings:
    given = {"GRAPHCITE_HOME": str(home), "GRAPHCITE_MODEL": "fake", "GRAPHCITE_ENCODER": "none"}
    return load_settings(given | {f"GRAPHCITE_{name.upper()}": v for name, v in variables.items()})


def ask(chosen: Settings) -> str:
    async def go() -> str:
        model = LanguageModel.from_settings(chosen)
        assert model is not None
        try:
            return await model.complete(ASK)
        finally:
            await model.close()

    return asyncio.run(go())


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Every name that is looked up and every address that is connected to."""
    asked: list[object] = []

    def refuse(*where: object, **_: object) -> None:
        asked.append(where)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    yield asked


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("", "api.openai.com"),
        ("https://user:secret@llm.example.org:8443/v1", "llm.example.org"),
        ("http://192.168.1.5:8080/v1", "192.168.1.5"),
        ("http://0.0.0.0:8080/v1", "0.0.0.0"),
        ("http://127.0.0.1.example.org/v1", "127.0.0.1.example.org"),
        ("http://localhost.example.org/v1", "localhost.example.org"),
        ("http://127.0.0.1@example.org/v1", "example.org"),
        ("http://[2001:db8::1]/v1", "2001:db8::1"),
    ],
)
def test_offline_no_other_machine_is_asked(
    tmp_path: Path, no_network: list[object], base_url: str, host: str
) -> None:
    chosen = settings(tmp_path, offline="1", model_base_url=base_url)
    with pytest.raises(ModelError) as caught:
        ask(chosen)
    message = f"GRAPHCITE_OFFLINE is set, so the model server at {host} is not asked."
    assert caught.value.user_message == message
    assert "不会询问" in caught.value.message("zh") and host in caught.value.message("zh")
    assert no_network == []
    assert hosts_contacted(chosen) == ()


def findings(chosen: Settings) -> dict[str, tuple[str, str]]:
    runtime = Runtime(chosen)
    try:
        return {found.what: (found.state, found.text) for found in examine(runtime)}
    finally:
        runtime.close()


def test_doctor_says_that_the_model_is_not_asked(tmp_path: Path) -> None:
    found = findings(settings(tmp_path, offline="1"))
    state, text = found["chat model"]
    assert state == "warning" and "GRAPHCITE_OFFLINE" in text and "not asked" in text
    assert found["hosts"][1] == "none: nothing leaves this machine"


def test_doctor_says_that_a_base_url_is_none(tmp_path: Path) -> None:
    found = findings(settings(tmp_path, model_base_url="http://127.0.0.1:99999/v1"))
    assert found["chat model"][0] == "problem"
    assert "GRAPHCITE_MODEL_BASE_URL is no web address" in found["chat model"][1]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.8.9.1", "localhost", "LOCALHOST", "[::1]", "[0:0:0:0:0:0:0:1]"]
)
def test_this_machine_may_be_asked_offline(tmp_path: Path, host: str) -> None:
    chosen = settings(tmp_path, offline="1", model_base_url=f"http://{host}:8080/v1")
    assert Server.of(chosen).refusal is None
    assert hosts_contacted(chosen) == (host.strip("[]").lower(),)


def test_a_model_on_this_machine_answers_offline(tmp_path: Path) -> None:
    with FakeModel(chat("Yes.")) as server:
        assert ask(settings(tmp_path, offline="1", model_base_url=server.base_url)) == "Yes."


def test_nothing_is_taken_from_the_variables_of_the_openai_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    custom = "X-Custom: leak\nAuthorization: Bearer leak"
    for name, value in {
        "OPENAI_BASE_URL": "http://leak.example.org/v1",
        "OPENAI_API_KEY": "leak",
        "OPENAI_ADMIN_KEY": "leak",
        "OPENAI_ORG_ID": "leak",
        "OPENAI_PROJECT_ID": "leak",
        "OPENAI_CUSTOM_HEADERS": custom,
    }.items():
        monkeypatch.setenv(name, value)
    assert hosts_contacted(settings(tmp_path)) == ("api.openai.com",)
    model = LanguageModel.from_settings(settings(tmp_path))
    assert model is not None and model.address == "api.openai.com:443"
    with FakeModel(chat("Yes."), chat("Yes.")) as server:
        assert ask(settings(tmp_path, model_base_url=server.base_url)) == "Yes."
        assert ask(settings(tmp_path, model_base_url=server.base_url, model_key="ours")) == "Yes."
    assert "leak" not in str(server.headers) and "x-stainless" not in str(server.headers)
    assert [h["authorization"] for h in server.headers] == ["Bearer none", "Bearer ours"]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_leads_to_another_server(tmp_path: Path, status: int) -> None:
    with FakeModel(chat("No.")) as other:
        away = Script(
            [b""], status, "text/plain", {"location": f"{other.base_url}/chat/completions"}
        )
        with FakeModel(away) as server, pytest.raises(ModelError) as caught:
            ask(settings(tmp_path, model_base_url=server.base_url))
    assert "has moved: set GRAPHCITE_MODEL_BASE_URL" in caught.value.user_message
    assert other.requests == []

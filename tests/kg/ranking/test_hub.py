"""The model hub: reached or not, and its cache, played on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import ModelError
from kg.ranking.hub import RankingModelError, cached_snapshot, hub_answers, hub_host
from kg.ranking.hub import load_here_or_from_hub as load
from tests.fakes import FakeModel

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Missing:
    """A library that finds no model anywhere; `asked` says whether only this machine was."""

    def __init__(self) -> None:
        self.asked: list[bool] = []

    def __call__(self, name: str, here: bool) -> None:
        self.asked.append(here)
        raise OSError(f"{name} is not there\nand more lines")


def refused(make: Missing, *, offline: bool = False) -> ModelError:
    with pytest.raises(ModelError) as caught:
        load(make, "someone/model", "re-ranker", offline=offline)
    for line in (caught.value.user_message, caught.value.message("zh")):
        assert "\n" not in line and "someone/model" in line
    assert caught.value.user_message.endswith("; the order stays without it.")
    return caught.value


@pytest.fixture(autouse=True)
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that forbids the hub, and no proxy before it."""
    for name in ("HF_HUB_OFFLINE", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def cache(root: Path, weights: str = "model.safetensors") -> Path:
    """A model in a hub's cache, as its client lays it out."""
    repository = root / "models--someone--model"
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    (snapshot / "config.json").write_text("{}")
    (snapshot / weights).write_bytes(b"")
    return snapshot


def test_a_hub_that_is_away_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    make = Missing()
    error = refused(make)
    assert "the model hub at 127.0.0.1 cannot be reached: check the connection" in str(
        error.user_message
    )
    assert "无法连接模型库 127.0.0.1" in error.message("zh")
    assert make.asked == [True]  # its own client would try again for more than a minute
    assert not hub_answers()


def test_a_hub_that_answers_is_asked_after_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Missing()
    with FakeModel() as hub:
        monkeypatch.setenv("HF_ENDPOINT", f"http://{hub.address}/")
        message = refused(make).user_message
        assert hub_answers()  # whatever it answers
    assert "cannot be loaded from the model hub" in message and "check the name" in message
    assert make.asked == [True, False]


@pytest.mark.parametrize("value", ["1", "true", "ON"])
def test_the_hub_is_not_asked_where_its_client_is_told_so(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", value)
    make = Missing()
    assert "nothing is fetched while offline" in refused(make).user_message
    assert make.asked == [True]


def test_offline_holds_for_what_libraries_ask_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    assert "nothing is fetched while offline" in refused(Missing(), offline=True).user_message
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_what_is_no_address_of_a_hub_is_no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "hub of ours")
    assert not hub_answers()
    monkeypatch.delenv("HF_ENDPOINT")
    assert hub_host() == "huggingface.co"


def test_only_a_whole_model_in_the_cache_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    assert cached_snapshot("someone/model") is None
    snapshot = cache(tmp_path, weights="model.safetensors.incomplete")
    assert cached_snapshot("someone/model") is None
    (snapshot / "model.safetensors").write_bytes(b"")
    assert cached_snapshot("someone/model") == snapshot
    assert cached_snapshot("no such/name of/a model") is None


def test_what_is_wrong_can_be_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    error = refused(Missing())
    assert isinstance(error, RankingModelError)
    assert error.alone.user_message.endswith("put the path of its folder in place of the name.")
    assert error.alone.message("zh").endswith("请改填模型文件夹的路径。")

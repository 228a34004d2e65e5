"""Settings from the environment and the home's .env, and what the README says of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from bot.settings import SETTINGS, Settings, load_settings
from kg.errors import BadInput


def load(home: Path, **variables: str) -> Settings:
    return load_settings({"GRAPHCITE_HOME": str(home), **variables})


def test_defaults_are_safe(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert settings.home == tmp_path
    assert (settings.host, settings.port, settings.mode) == ("127.0.0.1", 8000, "medical")
    assert settings.model is None and settings.model_key is None
    assert not settings.offline


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "\ufeff# notes\nGRAPHCITE_PORT=9001\nexport GRAPHCITE_MODEL='a model'\n", encoding="utf-8"
    )
    assert load(tmp_path).port == 9001
    assert load(tmp_path).model == "a model"
    assert load(tmp_path, GRAPHCITE_PORT="9002").port == 9002


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GRAPHCITE_PORT", "eighty"),
        ("GRAPHCITE_PORT", "70000"),
        ("GRAPHCITE_TURN_SECONDS", "0"),
        ("GRAPHCITE_TURN_SECONDS", "nan"),
        ("GRAPHCITE_OFFLINE", "perhaps"),
        ("GRAPHCITE_MODE", "legal"),
        ("GRAPHCITE_MODEL_TEMPERATURE", "3"),
        ("GRAPHCITE_MODEL_MAX_TOKENS", "0"),
    ],
)
def test_a_bad_value_names_its_variable(tmp_path: Path, variable: str, value: str) -> None:
    with pytest.raises(BadInput) as caught:
        load(tmp_path, **{variable: value})
    assert caught.value.user_message.startswith(f"{variable} is {value!r} but ")
    assert "\n" not in caught.value.user_message


def test_a_file_or_home_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("GRAPHCITE_PORT=9001\n", encoding="utf-16")
    with pytest.raises(BadInput, match="not UTF-8"):
        load(tmp_path)
    with pytest.raises(BadInput, match="GRAPHCITE_HOME is '~nobody-of-that-name/x'"):
        load(Path("~nobody-of-that-name/x"))


def test_every_field_is_a_setting() -> None:
    assert [f.name for f in dataclasses.fields(Settings)] == [s.field for s in SETTINGS]

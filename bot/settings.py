"""Settings: one flat, frozen object from GRAPHCITE_* variables and the `.env` of the home.

The environment wins over `.env`. A value that cannot be read is refused with the variable's name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from dotenv import dotenv_values

from kg.errors import BadInput
from kg.strategies.names import STRATEGIES

__all__ = ["SETTINGS", "Settings", "load_settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the README's table of settings lists; see SETTINGS for the variables."""

    home: Path
    host: str
    port: int
    mode: str
    strategy: str
    encoder: str
    encoder_languages: tuple[str, ...]
    encoder_key: str | None
    reranker: str
    reranker_languages: tuple[str, ...]
    reranker_seconds: float
    cohere_key: str | None
    cohere_base_url: str
    model: str | None
    model_base_url: str | None
    model_key: str | None
    model_seconds: float
    model_max_tokens: int
    model_temperature: float
    turn_seconds: float
    offline: bool
    allowed_hosts: tuple[str, ...]

    @property
    def graphs(self) -> Path:
        """The folder that holds one graph folder per mode."""
        return self.home / "graphs"

    @property
    def database(self) -> Path:
        """The SQLite file of conversations and records."""
        return self.home / "graphcite.sqlite"

    @property
    def vectors(self) -> Path:
        """The SQLite file of cached vectors."""
        return self.home / "cache" / "vectors.sqlite"


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable: its field, default as written, reader, and one line of help."""

    field: str
    default: str
    read: Callable[[str], object]
    help: str

    @property
    def variable(self) -> str:
        """The environment variable that holds it."""
        return f"GRAPHCITE_{self.field.upper()}"


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError("must be above 0")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 < value < 65536:
        raise ValueError("must be between 1 and 65535")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError("must be at least 1")
    return value


def _temperature(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 2:
        raise ValueError("must be between 0 and 2")
    return value


def _flag(text: str) -> bool:
    if text.lower() not in ("1", "true", "yes", "0", "false", "no"):
        raise ValueError("must be 1 or 0")
    return text.lower() in ("1", "true", "yes")


def _mode(text: str) -> str:
    if text not in ("medical", "open"):
        raise ValueError("must be medical or open")
    return text


def _strategy(text: str) -> str:
    if text not in STRATEGIES:
        raise ValueError(f"must be one of {', '.join(STRATEGIES)}")
    return text


def _optional(text: str) -> str | None:
    return text.strip() or None


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip().lower() for part in text.split(",") if part.strip())


SETTINGS: tuple[Setting, ...] = (
    Setting("home", "", str, "folder with all state; empty: the user data folder"),
    Setting("host", "127.0.0.1", str, "address that the chat page listens on"),
    Setting("port", "8000", _port, "port that the chat page listens on"),
    Setting("mode", "medical", _mode, "mode of a new conversation: medical or open"),
    Setting("strategy", "auto", _strategy, "how evidence is found where a question does not say"),
    Setting("encoder", "all-MiniLM-L6-v2", str, "sentence-transformers name or folder, or none"),
    Setting("encoder_languages", "en", _names, "languages that this encoder may rank: en, zh"),
    Setting("encoder_key", "", _optional, "key for an embeddings server that is the encoder"),
    Setting(
        "reranker", "none", str, "none, medcpt, bge, cohere, or a cross-encoder's name or folder"
    ),
    Setting("reranker_languages", "en", _names, "languages that a cross-encoder of yours may rank"),
    Setting(
        "reranker_seconds", "5", _positive, "longest time for re-ranking a question, in seconds"
    ),
    Setting("cohere_key", "", _optional, "key for Cohere's rerank API"),
    Setting("cohere_base_url", "https://api.cohere.com", str, "address of Cohere's API"),
    Setting("model", "", _optional, "chat model's name; empty: answers are composed without one"),
    Setting("model_base_url", "", _optional, "base URL of an OpenAI-compatible server"),
    Setting("model_key", "", _optional, "key for that server"),
    Setting("model_seconds", "60", _positive, "longest time for one model call, in seconds"),
    Setting("model_max_tokens", "800", _count, "longest answer, in tokens"),
    Setting("model_temperature", "0.2", _temperature, "0 (steady) to 2"),
    Setting("turn_seconds", "20", _positive, "time for finding evidence, in seconds"),
    Setting("offline", "0", _flag, "1: nothing leaves this machine"),
    Setting("allowed_hosts", "", _names, "further Host names that the page answers to"),
)


def _home(given: str | None) -> Path:
    path = Path(given or platformdirs.user_data_path("graphcite"))
    try:
        return path.expanduser().absolute()
    except (RuntimeError, ValueError):
        raise BadInput(f"GRAPHCITE_HOME is {given!r} but no such folder can be found.") from None


def _env_file(path: Path) -> dict[str, str | None]:
    try:
        return dotenv_values(path, encoding="utf-8-sig", interpolate=False)
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8: save it as UTF-8 and try again.") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from None


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in force. Raises BadInput naming the variable that cannot be read."""
    given = dict(os.environ if environment is None else environment)
    home = _home(given.get("GRAPHCITE_HOME"))
    stored = _env_file(home / ".env")
    values = {**{name: value for name, value in stored.items() if value is not None}, **given}
    fields: dict[str, object] = {}
    for setting in SETTINGS[1:]:
        text = values.get(setting.variable, setting.default) or setting.default
        try:
            fields[setting.field] = setting.read(text.strip())
        except ValueError as error:
            reason = str(error) if str(error).startswith("must") else "is not a number"
            raise BadInput(f"{setting.variable} is {text!r} but {reason}.") from None
    return Settings(home=home, **fields)  # type: ignore[arg-type]

"""What a strategy is asked to do, with its parameters read strictly from NAME=VALUE settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kg.deadline import Deadline
from kg.errors import BadInput
from kg.model import LinkedEntity

__all__ = ["Carried", "Parameters", "Request"]


@dataclass(frozen=True, slots=True)
class Parameters:
    """KG-Rank's settings: `k` triples per concept are encoded, `top` per concept and overall stay.

    The paper keeps 200 and 20 (NOTES: both per concept).
    """

    ranking: str = "similarity"
    reranker: str = "none"
    k: int = 200
    top: int = 20

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Parameters:
        """Parameters from text; raises BadInput naming what is wrong and what may be set."""
        values: dict[str, str | int] = {}
        for name, text in given.items():
            if name in ("ranking", "reranker"):
                allowed = getattr(cls(), name)
                if text != allowed:
                    raise BadInput(f"{name} can be {allowed} here, not {text!r}.")
                values[name] = text
            elif name in ("k", "top"):
                values[name] = _count(name, text)
            else:
                raise BadInput(f"There is no setting {name!r}: use ranking, reranker, k or top.")
        return cls(**values)  # type: ignore[arg-type]


def _count(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise BadInput(f"{name} must be a whole number from 1 to 1000, not {text!r}.")
    return int(text)


@dataclass(frozen=True, slots=True)
class Carried:
    """What the last turn was about. Entities stand in where a follow-up names none of its own.

    With `refers_back` ("does it cause …?") they stand beside those that it names; `aspects`
    stand in where it asks for none ("what about asthma?").
    """

    entities: tuple[LinkedEntity, ...] = ()
    aspects: tuple[str, ...] = ()
    refers_back: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One question for a strategy, with what the last turn was about.

    `on_stage` hears the name of each stage as it begins, from the strategy's own thread.
    """

    question: str
    language: str
    deadline: Deadline
    parameters: Parameters = field(default_factory=Parameters)
    carried: Carried = field(default_factory=Carried)
    on_stage: Callable[[str], None] = lambda stage: None

"""What `graphcite doctor` finds: one line on each thing that it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "State"]

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. Only without a "problem" can questions be answered."""

    what: str
    state: State
    text: str

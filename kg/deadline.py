"""How long a step may still take. Does not interrupt anything: loops ask it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from kg.errors import DeadlineExceeded

__all__ = ["Deadline"]


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock, in seconds."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The deadline that ends `seconds` from now."""
        return cls(time.monotonic() + seconds)

    @property
    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() >= self.at

    def check(self, step: str) -> None:
        """Raise DeadlineExceeded, naming `step`, when the time is used up."""
        if self.expired:
            raise DeadlineExceeded(
                f"The time for this question ran out while {step}.",
                chinese="这个问题的时间已用完，结果不完整。",
            )

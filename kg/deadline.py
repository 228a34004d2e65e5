"""How long a step may still take, and whether it was stopped. Does not interrupt: loops ask it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from kg.errors import DeadlineExceeded

__all__ = ["Deadline"]


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock, in seconds; `stopped` tells that nobody waits any more."""

    at: float
    stopped: Callable[[], bool] = lambda: False

    @classmethod
    def after(cls, seconds: float, stopped: Callable[[], bool] = lambda: False) -> Deadline:
        """The deadline that ends `seconds` from now."""
        return cls(time.monotonic() + seconds, stopped)

    def later(self, seconds: float) -> Deadline:
        """The same deadline, moved back by time that did not count."""
        return replace(self, at=self.at + seconds)

    def within(self, seconds: float) -> Deadline:
        """This deadline, or the one that ends `seconds` from now where that comes first."""
        return replace(self, at=min(self.at, time.monotonic() + seconds))

    @property
    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the time is used up, or the question was stopped."""
        return self.stopped() or time.monotonic() >= self.at

    def check(self, step: str) -> None:
        """Raise DeadlineExceeded, naming `step`, when the time is used up."""
        if self.expired:
            raise DeadlineExceeded(
                f"The time for this question ran out while {step}.",
                chinese="这个问题的时间已用完，结果不完整。",
            )

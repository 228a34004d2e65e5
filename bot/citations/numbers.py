"""The numbers of a conversation's citations: one evidence item, one number, from first to last.

Numbers are dense and given in order of first citation. `Numbers(taken)` continues a conversation.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["Numbers"]


class Numbers:
    """Evidence key → number. The same key keeps its number through the whole conversation."""

    def __init__(self, taken: Mapping[str, int] = MappingProxyType({})) -> None:
        self._numbers = dict(taken)
        self._last = max(self._numbers.values(), default=0)

    def number(self, key: str) -> int:
        """The number of this key; the next free one when it has none yet."""
        if key not in self._numbers:
            self._last += 1
            self._numbers[key] = self._last
        return self._numbers[key]

    @property
    def known(self) -> Mapping[str, int]:
        """All numbers given so far, by key."""
        return MappingProxyType(self._numbers)

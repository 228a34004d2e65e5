"""Opaque ids: what the model may cite. They are given out per turn, in rank order: E1, E2, …

Ids never reach the reader: bot.citations.markers turns them into the conversation's numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

from kg.model import Evidence

__all__ = ["opaque_ids"]


def opaque_ids(evidence: Iterable[Evidence]) -> dict[str, str]:
    """Opaque id → evidence key, in the order given; an item that comes twice gets one id."""
    keys = dict.fromkeys(item.key for item in evidence)
    return {f"E{position}": key for position, key in enumerate(keys, start=1)}

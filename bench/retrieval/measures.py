"""What the scripts here share: F-measure, recall, intervals, tables, where the public sets lie."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

__all__ = ["SHARED_DATA", "f_measure", "interval", "recall", "shown", "table"]

SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
_SAMPLES = 10_000


def f_measure(found: Collection[str], gold: Collection[str]) -> float:
    """F1 of two sets."""
    common = len(set(found) & set(gold))
    return 2 * common / (len(set(found)) + len(set(gold))) if common else 0.0


def recall(found: Collection[str], gold: Collection[str], most: int) -> float:
    """The share of the gold that was found; more gold than `most` counts as `most`."""
    return min(1.0, len(set(found) & set(gold)) / min(most, len(set(gold))))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of means of samples drawn with replacement (bootstrap, fixed seed)."""
    drawn = np.random.default_rng(0).integers(0, len(values), (_SAMPLES, len(values)))
    means = np.asarray(values)[drawn].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def shown(values: Sequence[float]) -> str:
    """A mean with its interval."""
    low, high = interval(values)
    return f"{sum(values) / len(values):.3f} ({low:.3f} to {high:.3f})"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)

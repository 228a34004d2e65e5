"""How often a fact holds, read from a `frequency` qualifier: words, percentages or n/m counts."""

from __future__ import annotations

import re

__all__ = ["FREQUENCY_BANDS", "frequency_of", "frequency_band"]

# HPO's bands (hp.obo, HP:0040279): name → the smallest share that belongs to it.
FREQUENCY_BANDS: tuple[tuple[str, float], ...] = (
    ("always", 1.0),
    ("very frequent", 0.8),
    ("frequent", 0.3),
    ("occasional", 0.05),
    ("rare", 0.0),
)

_WORDS = {
    "obligate": 1.0,
    "always": 1.0,
    "very frequent": 0.9,
    "very common": 0.9,
    "frequent": 0.55,
    "common": 0.55,
    "occasional": 0.17,
    "uncommon": 0.17,
    "very rare": 0.02,
    "rare": 0.03,
}
_COUNT = re.compile(r"(\d+)\s*/\s*(\d+)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")


def frequency_of(value: str) -> float | None:
    """The share (0 to 1) that a frequency states; None when it states none.

    Several statements about one fact ("16/21; 30/53") are pooled by their counts.
    """
    counts = [(int(n), int(m)) for n, m in _COUNT.findall(value) if int(m) > 0]
    if counts:
        return min(1.0, sum(n for n, _ in counts) / sum(m for _, m in counts))
    text = value.casefold()
    for word in sorted(_WORDS, key=len, reverse=True):
        if re.search(rf"\b{word}\b", text):
            return _WORDS[word]
    percents = [float(percent) / 100 for percent in _PERCENT.findall(value)]
    return min(1.0, sum(percents) / len(percents)) if percents else None


def frequency_band(share: float) -> str:
    """The HPO band that a share belongs to."""
    return next(name for name, least in FREQUENCY_BANDS if share >= least)

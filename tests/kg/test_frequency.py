"""Frequencies as shares and bands."""

from __future__ import annotations

import pytest

from kg.frequency import frequency_band, frequency_of


@pytest.mark.parametrize(
    ("value", "share"),
    [
        ("16/21", 16 / 21),
        ("16/21; 30/53", 46 / 74),
        ("45%", 0.45),
        ("Very frequent (80–99%)", 0.9),
        ("very rare", 0.02),
        ("common", 0.55),
        ("0/0", None),
        ("at times", None),
    ],
)
def test_share(value: str, share: float | None) -> None:
    assert frequency_of(value) == pytest.approx(share)


@pytest.mark.parametrize(
    ("share", "band"),
    [
        (1.0, "always"),
        (0.8, "very frequent"),
        (0.3, "frequent"),
        (0.05, "occasional"),
        (0.01, "rare"),
    ],
)
def test_band(share: float, band: str) -> None:
    assert frequency_band(share) == band

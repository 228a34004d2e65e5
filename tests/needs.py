"""What a test does when a real part is absent: skip, or fail where everything is required."""

from __future__ import annotations

import os

import pytest

__all__ = ["need"]


def need(condition: bool, reason: str) -> None:
    """Skip the test unless `condition`; GRAPHCITE_TEST_REQUIRE_ALL=1 makes the skip a failure."""
    if condition:
        return
    if os.environ.get("GRAPHCITE_TEST_REQUIRE_ALL") == "1":
        pytest.fail(f"required here: {reason}")
    pytest.skip(reason)

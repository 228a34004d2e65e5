"""Every test of a whole question runs on both graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.shown.cases import CASES, Case


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def home(case: Case, request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue(case.home)  # type: ignore[no-any-return]

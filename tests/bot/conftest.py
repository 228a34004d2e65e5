"""A runtime over the starter graph, for the modules that make none of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.runtime import Runtime
from tests.bot.asking import starter_runtime


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    with starter_runtime(tmp_path_factory.mktemp("home")) as parts:
        yield parts

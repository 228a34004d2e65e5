"""Questions over the whole CMeKG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.runtime import Runtime
from tests.bot.asking import ask, opened


@pytest.fixture(scope="module")
def runtime(cmekg_home: Path) -> Iterator[Runtime]:
    with opened(cmekg_home) as parts:
        yield parts


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("偏头痛用什么药治疗？", "布洛芬"),
        ("糖尿病应该挂什么科？", "内分泌科"),
        ("急性阑尾炎的临床表现有哪些？", "右下腹痛"),
    ],
)
def test_questions_that_cmekg_answers(runtime: Runtime, question: str, holds: str) -> None:
    record = ask(runtime, question)
    assert holds in record.answer and "CMeKG" in record.answer

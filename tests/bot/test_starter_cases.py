"""The two cases of the HyKGE paper (arXiv 2312.15883): migraine, and reflux with antacids."""

from __future__ import annotations

import pytest

from bot.runtime import Runtime
from tests.bot.asking import ask


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("头部和眼后疼痛，诊断为偏头痛，怎么治疗？", ("布洛芬", "对乙酰氨基酚", "阿司匹林")),
        (
            "I have pain behind my eyes and was told it is migraine. How is it treated?",
            ("ibuprofen", "paracetamol", "aspirin"),
        ),
        ("偏头痛怎么预防？", ("普萘洛尔", "阿米替林")),
        ("偏头痛有哪些症状？", ("头痛", "眼眶后痛")),
        ("Does migraine cause pain behind the eyes?", ("pain behind the eyes",)),
        ("Which part of the body does migraine affect?", ("head",)),
    ],
)
def test_migraine(runtime: Runtime, question: str, names: tuple[str, ...]) -> None:
    answer = ask(runtime, question).answer
    assert all(name in answer for name in names)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("饭后有点胃反流，吃什么药？", ("碳酸钙", "氢氧化铝", "奥美拉唑", "雷尼替丁")),
        ("饭后有点胃反流，应该吃什么药？可以吃碳酸钙吗？", ("碳酸钙",)),
        ("What is taken for acid reflux?", ("calcium carbonate", "aluminium hydroxide")),
        ("胃酸过多吃什么药？", ("碳酸钙", "氢氧化铝")),
        ("What relieves too much stomach acid?", ("calcium carbonate", "aluminium hydroxide")),
        ("胃溃疡怎么治疗？", ("硫糖铝",)),
        ("硫糖铝会引起胃痛吗？", ("副作用", "上腹痛")),
        ("Does sucralfate cause stomach pain?", ("side effect", "upper abdominal pain")),
        ("What are the side effects of sucralfate?", ("constipation",)),
        ("氢氧化铝有什么副作用？", ("便秘",)),
        ("Who should not take calcium carbonate?", ("kidney stones",)),
    ],
)
def test_reflux(runtime: Runtime, question: str, names: tuple[str, ...]) -> None:
    answer = ask(runtime, question).answer
    assert all(name in answer for name in names)


def test_every_fact_is_cited_and_ranitidine_is_flagged(runtime: Runtime) -> None:
    record = ask(runtime, "What are the treatments for acid reflux?")
    assert record.sentences and all(sentence.citations for sentence in record.sentences)
    assert any("ranitidine as withdrawn" in caution for caution in record.cautions)

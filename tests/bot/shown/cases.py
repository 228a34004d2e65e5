"""A question about two things for each graph, and what a scripted model replies to every job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.bot.shown.asking import Shown, ask

__all__ = ["CASES", "Case", "asked"]


@dataclass(frozen=True)
class Case:
    """A graph's fixture, a question about two things that it joins, and a model's replies."""

    home: str
    language: str
    question: str
    names: tuple[str, str]
    replies: dict[str, str]


ENGLISH = Case(
    "full_home",
    "en",
    "How are diabetes and cataract connected?",
    ("type 2 diabetes", "cataract"),
    {
        "hypothesis": "Diabetes may lead to glaucoma and to blurred vision.",
        "expansion": "Diabetes raises the risk of cataract.",
        "query-expansion": '["How does diabetes harm the lens?", "glaucoma"]',
        "notes": "E1: bears on it.\nMissing: nothing",
        "knowledge-steps": '["Diabetes raises the risk of cataract.", "Glaucoma may follow."]',
        "knowledge-correction": "Diabetes is a risk factor for cataract.",
        "ner": '["diabetes", "cataract"]',
        "base": "Diabetes can cloud the lens.",
    },
)
CHINESE = Case(
    "cmekg_home",
    "zh",
    "糖尿病会引起白内障吗？",
    ("糖尿病", "白内障"),
    {
        "hypothesis": "糖尿病可能引起青光眼和视力下降。",
        "expansion": "糖尿病会增加白内障的风险。",
        "query-expansion": '["糖尿病对晶状体有什么影响？", "青光眼"]',
        "notes": "E1：有关。\n缺少：无",
        "knowledge-steps": '["糖尿病会增加白内障的风险。", "糖尿病还可能引起青光眼。"]',
        "knowledge-correction": "糖尿病是白内障的危险因素。",
        "ner": '["糖尿病", "白内障"]',
        "base": "糖尿病可使晶状体混浊。",
    },
)
CASES = {"hpo and starter": ENGLISH, "cmekg": CHINESE}


def asked(home: Path, case: Case, strategy: str, *settings: str, model: bool) -> Shown:
    options = [word for setting in settings for word in ("--set", setting)]
    replies = case.replies if model else None
    return ask(home, case.question, "--strategy", strategy, *options, replies=replies)

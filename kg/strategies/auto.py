"""`auto`: which strategy a question gets, and why.

Two or more entities that are asked about together, or a how or why question with a model: HyKGE.
Else KG-Rank: also where each of several entities is asked for the same list ("symptoms of A and
B") or a condition only stands beside what is asked ("I have A. What helps against B?"), where
something is excluded, and where it is asked for certain people ("in children"), whose facts are no
chains.
"""

from __future__ import annotations

from kg.aspects import asks_for_overview, names_an_aspect
from kg.model import LinkedEntity
from kg.populations import is_people, populations_in
from kg.questions import asks_how_or_why, asks_of_each, excluded
from kg.strategies.run import Run

__all__ = ["choose"]

_WHY = {
    "together": ("{n} entities are asked about together", "问题同时涉及 {n} 个实体"),
    "how": (
        "a how or why question, and a model can write a hypothesis",
        "“如何/为什么”类问题，可由模型写出假设答案",
    ),
    "beside": ("one entity is asked about, others are told beside", "只询问一个实体，其余为背景"),
    "each": ("each of {n} entities is asked about by itself", "分别询问 {n} 个实体"),
    "people": ("something is asked for certain people", "问题针对特定人群"),
    "excluded": ("the question excludes something", "问题排除了某些内容"),
    "one": ("one entity linked", "只识别出一个实体"),
    "none": ("no entity linked", "没有识别出实体"),
}


def choose(run: Run) -> tuple[str, str]:
    """The strategy for a question, and the reason in one line."""
    run.read_question()
    asked = [
        entity
        for entity in run.entities
        if not is_people(entity.mention) and not names_an_aspect(entity.mention)
    ]
    reason = _reason(run, asked)
    english, chinese = _WHY[reason]
    told = chinese if run.request.language == "zh" else english
    strategy = "hykge" if reason in ("together", "how") else "kg-rank"
    return strategy, told.format(n=len(asked))


def _reason(run: Run, asked: list[LinkedEntity]) -> str:
    question = run.request.question
    for_people = populations_in(question)
    if any(p.advised for p in for_people) or (for_people and "contraindication" in run.aspects):
        return "people"
    if excluded(question):
        return "excluded"
    if len(asked) > 1 and len(asked) - len(run.background) == 1:
        return "beside"
    each = len(asked) > 1 and _of_each(run, asked)
    if len(asked) > 1 and not each:
        return "together"
    # With nothing of the question in the graph, a hypothesis would bring guesses alone.
    if run.entities and run.asking.available and asks_how_or_why(question):
        return "how"
    if each:
        return "each"
    return "one" if run.entities else "none"


def _of_each(run: Run, asked: list[LinkedEntity]) -> bool:
    """Whether an aspect, or all that is known, is asked of each entity by itself."""
    names = {entity.mention for entity in asked}
    spans = [(mention.start, mention.end) for mention in run.mentions if mention.text in names]
    whole = [
        one
        for one in spans
        if not any(o != one and o[0] <= one[0] and one[1] <= o[1] for o in spans)
    ]
    question = run.request.question
    says_what = bool(run.aspects) or asks_for_overview(question)
    return says_what and len(whole) == len(asked) and asks_of_each(question, whole)

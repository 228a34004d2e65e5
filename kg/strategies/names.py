"""The names of the strategies, and what each is in plain words. The command line reads this."""

from __future__ import annotations

__all__ = ["AUTO", "EXPLAINED", "NEED_A_MODEL", "STRATEGIES"]

AUTO = "auto"
NEED_A_MODEL = ("query-expansion", "chain-of-note", "chain-of-knowledge", "base")

# What each finds, as a user is told where it is chosen.
EXPLAINED: dict[str, dict[str, str]] = {
    AUTO: {
        "en": "chosen for each question, with the reason",
        "zh": "按问题自动选择，并说明原因",
    },
    "kg-rank": {
        "en": "the facts around what the question names, ranked",
        "zh": "问题所提实体周围的事实，按相关性排序",
    },
    "hykge": {
        "en": "chains between all that the question and a model's hypothesis name; without a model "
        "the question alone, which the paper found to do worse",
        "zh": "问题与模型假设答案所提实体之间的关系链；没有语言模型时只用问题本身，论文中效果较差",
    },
    "graph-rag": {
        "en": "the facts around and between what the question names, in the graph's cheap order",
        "zh": "问题所提实体周围及其之间的事实，按图谱的粗略顺序",
    },
    "query-expansion": {
        "en": "as kg-rank, for the question with terms that a model adds",
        "zh": "由模型补充相关词后，再取实体周围的事实",
    },
    "chain-of-note": {
        "en": "graph-rag's facts with a model's reading notes on them",
        "zh": "graph-rag 的事实，加上模型的阅读笔记",
    },
    "chain-of-knowledge": {
        "en": "a model's reasoning steps, each corrected by the graph",
        "zh": "模型的推理步骤，逐步用图谱修正",
    },
    "base": {
        "en": "the model alone, without the graph",
        "zh": "只用语言模型，不用图谱",
    },
}
STRATEGIES = tuple(EXPLAINED)

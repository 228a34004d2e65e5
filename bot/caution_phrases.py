"""The wording of cautions in English and Chinese: what a source lists, never advice."""

from __future__ import annotations

__all__ = ["CUT_OFF", "INCLUDES", "NOTHING_SPECIFIC", "SAYINGS"]

# By what is said, in the order in which it is told. {told} is the other end of the fact; what a
# source says in a sentence of its own is quoted ("text").
SAYINGS = {
    "contraindication": {
        "en": "{source} {lists} {medicines} as contraindicated in {told}.",
        "zh": "{source}列出：{told}禁用{medicines}。",
    },
    "contraindication text": {
        "en": "{source} {lists} under the contraindications to {medicines}: {told}.",
        "zh": "{source}在{medicines}的禁忌中写道：{told}。",
    },
    "interaction": {
        "en": "{source} {lists} {interactions} of {medicines} with {told}.",
        "zh": "{source}列出：{medicines}与{told}有相互作用。",
    },
    "interaction text": {
        "en": "{source} {lists} under the interactions of {medicines}: {told}.",
        "zh": "{source}在{medicines}的相互作用中写道：{told}。",
    },
    "population": {
        "en": "On {relation}, {source} {lists} {medicines} as {told}.",
        "zh": "关于{relation}，{source}列为“{told}”的有{medicines}。",
    },
    "status": {
        "en": "{source} {lists} {medicines} as {told}.",
        "zh": "{source}列出：{medicines}{told}。",
    },
}
# What the question names is a kind of what the source names.
INCLUDES = {"en": "{told} (which includes {kind})", "zh": "{told}（包括{kind}）"}
NOTHING_SPECIFIC = {
    "en": "No fact cited here is specific to {people}.",
    "zh": "此处引用的事实都不是专门针对{people}的。",
}
CUT_OFF = {
    "en": "The search for contraindications and interactions was cut off; there may be more.",
    "zh": "对禁忌和相互作用的查找被中断，可能还有更多。",
}

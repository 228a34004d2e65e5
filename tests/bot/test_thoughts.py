"""Thoughts never reach the reader, text about tags does, wherever chunks cut them."""

from __future__ import annotations

import pytest

from bot.model_text import Characters
from bot.thoughts import Restart, Thoughts


def shown(chunks: list[str], *, hold: bool = False) -> str:
    thoughts, characters = Thoughts(hold=hold), Characters()
    text = ""
    for piece in [p for chunk in chunks for p in thoughts.feed(characters.feed(chunk))] + [
        *thoughts.feed(characters.finish()),
        *thoughts.finish(),
    ]:
        text = "" if isinstance(piece, Restart) else text + piece
    return text


ANALYSIS = "<|channel|>analysis<|message|>Maybe [E9].<|end|>"
FINAL = "<|channel|>final<|message|>"
CASES = [
    ("<think>a</think>Yes.", "Yes."),
    (" \n<THINK>a</think>\n\nYes.", "Yes."),
    ("<thinking>a</think>Yes.", "Yes."),
    ("<thought>a</think>b</thought>Yes.", "Yes."),
    ("<reasoning>a</reasoning>Yes.", "Yes."),
    ("<think>a</think>\n<think>b</think>Yes.", "Yes."),
    ("<think>a", ""),
    ("<reasoning>a</reasoning", ""),
    ("<thinker>a", "<thinker>a"),
    ("<th", "<th"),
    (
        "The tag <think> means thought. Sumatriptan treats migraine [E4].",
        "The tag <think> means thought. Sumatriptan treats migraine [E4].",
    ),
    ("Tags: <think>a</think>. Yes.", "Tags: <think>a</think>. Yes."),
    ("The tag `</think>` ends it.", "The tag `</think>` ends it."),
    ("<think>a</think>It ends with </think>.", "It ends with </think>."),
    ("Maybe.</think>Yes.", "Yes."),
    ("Maybe.</reasoning>\n<think>a</think>Yes.", "Yes."),
    (f"{ANALYSIS}<|start|>assistant{FINAL}Yes.<|return|>", "Yes."),
    (f"<|start|>assistant{ANALYSIS}{ANALYSIS}{FINAL}Yes.<|end|>", "Yes."),
    (f"<|channel|>analysis<|message|>a{FINAL}Yes.", "Yes."),
    ("<|channel|>commentary to=f <|constrain|>json<|message|>{}<|call|>" + FINAL + "Yes.", "Yes."),
    (f"{ANALYSIS}{FINAL}a < b, a <b> and <|x", "a < b, a <b> and <|x"),
    (f"{FINAL}Yes.<|end|>{ANALYSIS}", "Yes."),
    (f"{ANALYSIS}", ""),
    ("<|channel|>analysis<|message|>a", ""),
    ("<|channel|>ana", ""),
    ("<|channel|>" + "a" * 400, "a" * 400),
    ("<|channel|>final<|message|>Yes.<|start|>" + "a" * 400, "Yes." + "a" * 400),
    ("p<0.05", "p<0.05"),
    ("  ", ""),
    ("<th\u200bink>a</think>Yes.", "Yes."),
]


@pytest.mark.parametrize(("text", "answer"), CASES)
def test_thoughts_are_taken_out_however_they_are_cut(text: str, answer: str) -> None:
    assert shown([text]) == answer
    assert shown(list(text)) == answer
    for place in range(len(text)):
        assert shown([text[:place], text[place:]]) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Maybe `</think>` <think>.</think>Yes.", "Yes."),
        ("<think>a</think>Yes.", "Yes."),
        ("No thoughts <think> today.", "No thoughts <think> today."),
    ],
)
def test_all_is_held_back_where_a_closing_tag_is_expected(text: str, answer: str) -> None:
    assert shown([text], hold=True) == answer
    assert shown(list(text), hold=True) == answer
    held = Thoughts(hold=True)
    assert held.feed("Maybe ") == [] and held.feed("so.") == []


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a\x00b\x07c\x7fd", "abcd"),
        ("line\n\ttab\r\nnext", "line\n\ttab\nnext"),
        ("\x1b[1;31mred\x1b[0m text", "red text"),
        ("\x1b]8;;http://e/\x07link\x1b]8;;\x1b\\ text", "link text"),
        ("title \x1b]0;x", "title "),
        ("a\x1bb", "ab"),
        ("evil\u202etxt\u2066a\u2069\u061c", "eviltxta"),
        ("mig\u200braine\ufeff so\u00adft", "migraine soft"),
        ("tag\U000e0041s", "tags"),
        ("a\u2028b\u2029c", "a\nb\nc"),
        ("sign\ue001\ue000", "sign"),
        ("修\ud83d\ude00复", "修😀复"),
        ("half \ud83d", "half \ufffd"),
    ],
)
def test_unfit_characters_are_taken_out_however_they_are_cut(text: str, answer: str) -> None:
    for chunks in ([text], list(text), *([text[:i], text[i:]] for i in range(len(text)))):
        characters = Characters()
        assert "".join(map(characters.feed, chunks)) + characters.finish() == answer


def test_a_sequence_that_never_ends_is_not_waited_for() -> None:
    characters = Characters()
    assert characters.feed("\x1b]" + "x" * 300) == "]" + "x" * 300

"""Work grows with the length of an answer and not with its square: counted, not timed."""

from __future__ import annotations

from typing import Any

import pytest

from bot.citations import naming, sentences
from bot.citations.checker import check
from bot.citations.sentences import plain_sentences, split
from tests.graphs import entity, item, triple

MARFAN = entity("Marfan syndrome")
MIGRAINE = entity("migraine", "偏头痛")
EVIDENCE = {
    1: item(triple(entity("sumatriptan"), "treats", MIGRAINE)),
    16: item(triple(MARFAN, "hasPhenotype", entity("Cataract"))),
}


class Counted(str):
    """A text that counts the characters that are taken out of it."""

    read = 0

    def __getitem__(self, place: Any) -> str:
        taken = super().__getitem__(place)
        Counted.read += len(taken)
        return taken


def characters_read(text: str) -> int:
    Counted.read = 0
    list(sentences._sentences(Counted(text), 0, len(text)))
    return Counted.read


@pytest.mark.parametrize(
    "part",
    [
        "Marfan syndrome has Cataract [16]. ",
        "a. ",
        "A; ",
        "A [1]; ",
        "x e.g. Y ",
        ".",
        ". ",
        ".[1]",
        "No. 5 ",
        "?”",
        "恶心。",
        "a?b ",
        " \t.",
    ],
)
def test_splitting_reads_each_character_a_few_times(part: str) -> None:
    for end in ("", "a", " A", "[1]"):
        once, twice = (characters_read(part * count + end) for count in (500, 1000))
        assert twice <= 2.1 * once


def test_comparisons_of_names_grow_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    inside = naming._Occurrence.inside

    def counted(one: Any, other: Any) -> bool:
        nonlocal compared
        compared += 1
        return inside(one, other)

    monkeypatch.setattr(naming._Occurrence, "inside", counted)
    counts = []
    for names in (200, 400):
        compared = 0
        check("sumatriptan migraine " * names + "[1].", EVIDENCE)
        counts.append(compared)
    assert counts[1] <= 2.1 * counts[0] + 10


# With the square of their length, each of these would take minutes.


def test_very_many_sentences_are_split_and_checked() -> None:
    answer = "Marfan syndrome has Cataract [16]. " * 20_000
    assert len(split(answer)) == 20_000
    assert len(plain_sentences(answer.replace(" [16]", ""))) == 20_000
    assert {s.verdict for s in check(answer[: 35 * 5000], EVIDENCE)} == {"supported"}


@pytest.mark.parametrize(
    "answer",
    [
        "偏头痛" + "可能" * 5000 + "x [1]。",
        "偏头痛" + "可用于" * 5000 + "x [1]。",
        "Migraine treats " + "_" * 20_000 + " x [1].",
        "|-" + " " * 50_000 + "x|",
        "." * 50_000 + "a",
        "- a b:\n" * 3000,
        "word " * 3000 + ":\n" + "- migraine [1]\n" * 300,
    ],
)
def test_degenerate_answers_come_to_an_end(answer: str) -> None:
    check(answer, EVIDENCE)
    check(answer, EVIDENCE, cut_off=True)

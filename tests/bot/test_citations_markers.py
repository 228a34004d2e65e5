"""Ids in a model's text become numbers; everything else stays; chunks make no difference."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.citations.markers import MarkerStream
from bot.citations.numbers import Numbers

IDS = {"E1": "first", "E2": "second", "E3": "third"}


def run(text: str, size: int = 0) -> tuple[str, tuple[str, ...]]:
    stream = MarkerStream(IDS, Numbers())
    chunks = [text[i : i + size] for i in range(0, len(text), size)] if size else [text]
    shown = "".join(stream.feed(chunk) for chunk in chunks) + stream.finish()
    return shown, stream.cited


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nausea [E1].", "Nausea [1]."),
        ("Nausea[E1].", "Nausea [1]."),
        ("Nausea [E1][E2].", "Nausea [1][2]."),
        ("Nausea [E1] [E2], [E3].", "Nausea [1][2][3]."),
        ("Nausea [E1, E2].", "Nausea [1][2]."),
        ("Nausea [e1; e2].", "Nausea [1][2]."),
        ("Nausea [E1 and E2].", "Nausea [1][2]."),
        ("Nausea [E1-E3].", "Nausea [1][2][3]."),
        ("Nausea 【E1】.", "Nausea [1]."),
        ("Nausea ［E1］.", "Nausea [1]."),
        ("Nausea (E1).", "Nausea [1]."),
        ("Nausea (see E1, E2).", "Nausea [1][2]."),
        ("Nausea ([E1]).", "Nausea [1]."),
        ("Nausea [Evidence E1].", "Nausea [1]."),
        ("Nausea. [E1] Next [E2].", "Nausea. [1] Next [2]."),
        ("Nausea [E1][E1].", "Nausea [1]."),
        ("A [E2], b [E1], c [E2].", "A [1], b [2], c [1]."),
        ("恶心[E1]。", "恶心[1]。"),
        ("恶心 [E1]。", "恶心[1]。"),
        ("恶心（E1）和呕吐【E2】。", "恶心[1]和呕吐[2]。"),
        ("恶心[E1、E2]。", "恶心[1][2]。"),
        ("- nausea [E1]\n- pain [E2]\n", "- nausea [1]\n- pain [2]\n"),
    ],
)
def test_ids_become_numbers(text: str, shown: str) -> None:
    assert run(text)[0] == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nausea [E9].", "Nausea."),
        ("Nausea [E9] and pain [E1].", "Nausea and pain [1]."),
        ("Nausea [E1, E9].", "Nausea [1]."),
        ("Nausea [E1], [E9].", "Nausea [1]."),
        ("Nausea (E9).", "Nausea."),
        ("[E9] Nausea.", "Nausea."),
        ("A\n[E9] nausea.", "A\nnausea."),
        ("恶心[E9]。", "恶心。"),
        ("Nausea [1].", "Nausea."),
        ("Nausea [1][2] is common [12].", "Nausea is common."),
        ("Nausea 【1】.", "Nausea."),
    ],
)
def test_unknown_ids_and_the_models_own_numbers_vanish(text: str, shown: str) -> None:
    assert run(text) == (shown, ("first",) if "[1]" in shown else ())


@pytest.mark.parametrize(
    "text",
    [
        "approved in [2020]",
        "range [1, 5] mg",
        "he said [sic] so",
        "vitamin B12",
        "E1 protein",
        "1 in 3",
        "prostaglandin (E300)",
        "[x](http://e/E1)",
        "see [1](http://e/) there",
        "inline `a[0] = x[1]` and `[E1]` code",
        "``[E1] ` [E2]`` twice",
        "```\na[0] = x[1] [E1]\n```\n",
        "~~~python\n[E1]\n~~~\nafter",
        "```\nnever closed [E1]",
        "~3 mg … ~4 mg",
        "批准于[2020]年，范围[1, 5] mg，[sic]，维生素B12，E1蛋白，`x[1]`，[x](http://e/E1)",
        r"\[E1\] and \[1\]",
        "(a very long remark in brackets " + "x" * 200 + ")",
    ],
)
def test_what_is_no_citation_stays(text: str) -> None:
    assert run(text) == (text, ())


def test_markers_make_no_links() -> None:
    assert run("[E1](http://evil.example)")[0] == "[1] (http://evil.example)"
    assert run("[E1]: http://evil.example")[0] == "[1] : http://evil.example"


def test_backticks_without_an_end_are_text() -> None:
    assert run("a ` b [E1]\nc [E2]")[0] == "a ` b [1]\nc [2]"


@pytest.mark.parametrize("rest", ["[", "[E", "[E1", "[E1, E", "【E1"])
def test_a_marker_cut_off_at_the_end_is_dropped(rest: str) -> None:
    assert run(f"Nausea {rest}") == ("Nausea", ())


def test_half_a_marker_is_held_back() -> None:
    stream = MarkerStream(IDS, Numbers())
    assert stream.feed("Nausea [E") == "Nausea"
    assert stream.feed("1") == ""
    assert stream.feed("].") == " [1]."


def test_ids_of_a_later_turn_get_new_numbers_and_old_evidence_keeps_its_own() -> None:
    numbers = Numbers({"first": 1, "second": 2})
    stream = MarkerStream({"E1": "fourth", "E2": "second"}, numbers)
    assert stream.feed("A [E1], b [E2].") + stream.finish() == "A [3], b [2]."
    assert stream.cited == ("fourth", "second")
    assert dict(numbers.known) == {"first": 1, "second": 2, "fourth": 3}


PIECES = st.lists(
    st.sampled_from(
        [
            "[E1]",
            "[E2",
            "]",
            "(",
            ")",
            "E1",
            "[",
            "`",
            "```",
            "\n",
            " ",
            "  ",
            ", ",
            "【E3】",
            "[1]",
        ]
        + [
            "。",
            "恶",
            "a",
            "[E9]",
            "~~~",
            "\\",
            ":",
            "（E2）",
            "[E1, e2]",
            "word ",
            "；",
            "\t",
            "7",
        ]
    ),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(PIECES, st.integers(1, 7))
def test_chunks_make_no_difference(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    assert run(text, 1) == run(text) == run(text, size)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="E12[](),` \n恶。", max_size=400), st.integers(1, 50))
def test_chunks_make_no_difference_in_noise(text: str, size: int) -> None:
    assert run(text, size) == run(text)

"""An answer is split into its claims, wherever the markers stand."""

from __future__ import annotations

import pytest

from bot.citations.sentences import find_markers, plain_sentences, split


def texts(answer: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(s.text, s.citations) for s in split(answer)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Nausea [1]. Pain [2].", [("Nausea.", (1,)), ("Pain.", (2,))]),
        ("Nausea. [1] Pain. [2]", [("Nausea.", (1,)), ("Pain.", (2,))]),
        ("Nausea.[1][2] Pain.", [("Nausea.", (1, 2)), ("Pain.", ())]),
        (
            "恶心[1]。呕吐。[2]头痛！真的？",
            [("恶心。", (1,)), ("呕吐。", (2,)), ("头痛！", ()), ("真的？", ())],
        ),
        ("A [1]; b [2].", [("A;", (1,)), ("b.", (2,))]),
        ("恶心[1]；呕吐[2]。", [("恶心；", (1,)), ("呕吐。", (2,))]),
        ("恶心；呕吐[2]。", [("恶心；呕吐。", (2,))]),
        ("Triptans, e.g. sumatriptan, help [1].", [("Triptans, e.g. sumatriptan, help.", (1,))]),
        ("See Dr. Smith vs. Jones [1].", [("See Dr. Smith vs. Jones.", (1,))]),
        ("Approx. 3.5 mg of HP:0001166 [1].", [("Approx. 3.5 mg of HP:0001166.", (1,))]),
        ("E. coli causes it [1]. Yes.", [("E. coli causes it.", (1,)), ("Yes.", ())]),
        ("Is it? Yes [1]!", [("Is it?", ()), ("Yes!", (1,))]),
        ("He said “no.” Then [1].", [("He said “no.”", ()), ("Then.", (1,))]),
        (
            "Approved in [2020] and [1](http://e/) [3].",
            [("Approved in [2020] and [1](http://e/).", (3,))],
        ),
        ("One\nline [1].", [("One line.", (1,))]),
        (
            "Aspirin helps [1]. naproxen helps [2]. α-Tocopherol [3]? iron may [4].",
            [
                ("Aspirin helps.", (1,)),
                ("naproxen helps.", (2,)),
                ("α-Tocopherol?", (3,)),
                ("iron may.", (4,)),
            ],
        ),
        (
            "Salmonella spp. [1] and dots. [2] as well [3].",
            [("Salmonella spp. and dots. as well.", (1, 2, 3))],
        ),
        ("One [1]\n\nTwo [2]", [("One", (1,)), ("Two", (2,))]),
        (r"A \[1\] b\. C [2].", [(r"A \[1\] b\. C.", (2,))]),
        ("", []),
        ("[1]", []),
    ],
)
def test_sentences(answer: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    assert texts(answer) == expected


def test_places_point_into_the_answer() -> None:
    answer = "Nausea is common [1]. Pain. [2]\n\n- 恶心[3]。"
    assert [answer[s.start : s.end] for s in split(answer)] == [
        "Nausea is common [1].",
        "Pain. [2]",
        "恶心[3]。",
    ]


def test_list_items_know_their_lead_in_and_the_lead_in_is_no_claim_of_its_own() -> None:
    answer = (
        "Treatments for migraine are:\n\n- sumatriptan [1]\n- ibuprofen. It is old [2]\n\nDone [3]."
    )
    assert [(s.text, s.citations, s.lead_in) for s in split(answer)] == [
        ("sumatriptan", (1,), "Treatments for migraine are:"),
        ("ibuprofen.", (), "Treatments for migraine are:"),
        ("It is old", (2,), "Treatments for migraine are:"),
        ("Done.", (3,), ""),
    ]


def test_a_lead_in_that_cites_is_a_claim() -> None:
    assert texts("偏头痛的治疗[1]：\n1. 舒马曲坦[2]\n") == [
        ("偏头痛的治疗：", (1,)),
        ("舒马曲坦", (2,)),
    ]


def test_table_rows_carry_the_head() -> None:
    answer = "| Medicine | Treats |\n|---|:-:|\n| sumatriptan | migraine [1] |\n"
    (row,) = split(answer)
    assert row.citations == (1,)
    assert "sumatriptan" in row.text and "migraine" in row.text and "Medicine" in row.lead_in


def test_code_headings_and_rules_are_no_claims() -> None:
    answer = "# Treatment\n\n```\nx[1] = 2.\n```\n\n---\n\nUse `x[1]` here [2]. `y[3]`\n"
    assert texts(answer) == [("Use `x[1]` here.", (2,))]


def test_markers_are_found_outside_code_and_escapes_only() -> None:
    answer = "A [1]. `[2]` \\[3\\] b\\\\[4].\n```\n[5]\n```\n[6](http://e/) c [7][2020]"
    assert [number for _, _, number in find_markers(answer)] == [1, 4, 7]


def test_sentences_of_plain_text() -> None:
    text = "A disorder, e.g. of the head [1]. It recurs."
    assert plain_sentences(text) == ("A disorder, e.g. of the head [1]", "It recurs")
    assert plain_sentences("反复发作。常为一侧") == ("反复发作", "常为一侧")

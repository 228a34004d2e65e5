"""Texts as the page's Markdown sees them (FIELD.md 29, CHAINLIT.md §2.9)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.page.hygiene import StreamedText, as_text, safe_markdown


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("dbo:birthPlace", r"dbo\:birthPlace"),
        ("Answer:Yes :D", r"Answer\:Yes \:D"),
        ("::note and :::warning", r":\:note and ::\:warning"),
        (r"already \:escaped", r"already \:escaped"),
        ("at 10:20:30, dose: 5 mg, 剂量:五", "at 10:20:30, dose: 5 mg, 剂量:五"),
        ("`dbo:x` and dbo:y", r"`dbo:x` and dbo\:y"),
        ("```\ndbo:x\n```\ndbo:y", "```\ndbo:x\n```\ndbo\\:y"),
        ("```\nnever closed dbo:x", "```\nnever closed dbo:x"),
        ("~3 mg … ~4 mg", r"\~3 mg … \~4 mg"),
        ("$5 to $10", "$5 to $10"),
        ("1*2*3 **bold** *it*", r"1\*2\*3 **bold** *it*"),
        ("snake_case_name, p<0.05", "snake_case_name, p<0.05"),
        ("a\u200bb\u00adc\u202ed\ufeff", "abcd"),
        ("a\x00b\rc", "abc"),
        ("[1][2] and 【3】", "[1][2] and 【3】"),
        ("Beware![1]", r"Beware\![1]"),
        ("see ![a](http://evil.test/x.png) it", "see a it"),
        ("[![a](http://evil.test/x)](http://evil.test/y)", "a"),
        ("[click](http://evil.test)", "click"),
        ("[click](javascript:alert(1))", "click"),
        ("[1](http://evil.test)", "[1]"),
        ("[p](https://pubmed.ncbi.nlm.nih.gov/1/)", "p (<https://pubmed.ncbi.nlm.nih.gov/1/>)"),
        ("go to https://evil.test/a:b, now", "go to `https://evil.test/a:b`, now"),
        ("<https://evil.test>", "`https://evil.test`"),
        ("www.evil.test，然后", "`www.evil.test`，然后"),
        ("[x]: http://evil.test", r"[x]\: `http://evil.test`"),
        ("[^1]: note", r"[^1]\: note"),
        ("`a\n\n![x](http://evil.test)`", "`a\n\nx`"),
        ("| `a | ![x](http://evil.test)` |", "| `a | x` |"),
        (r"\` ![x](http://evil.test)`", r"\` x`"),
        ("``` a`b\n![x](http://evil.test)\n```", "``` a`b\nx\n```"),
        ("<pre>\n```\n</pre>\n![x](http://e.test)\n```", "<pre>\n```\n</pre>\nx\n```"),
    ],
)
def test_markdown_is_made_safe(text: str, safe: str) -> None:
    assert safe_markdown(text) == safe


@given(st.text(alphabet="ab[](!)`\\:~ \n|<>h"))
def test_no_picture_survives(text: str) -> None:
    unescaped = re.sub(r"\\.", "", safe_markdown(text))
    assert not re.search(r"!\[[^\]]*\]\(", unescaped)


@pytest.mark.parametrize(
    "text",
    [
        "dbo:birthPlace $5 ~3~ a|b p<0.05 1*2*3 snake_case_name `code` [1] ![a](b) &amp;",
        "# not a heading",
        "- not a list",
        "+ nor this",
        "12. nor this",
        "3) nor this",
        "> not a quotation",
        "==== not an underline",
    ],
)
def test_data_is_seen_letter_by_letter(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", as_text(text)) == text
    assert not re.match(r"[#>+=-]|\d+[.)]", as_text(text))


def test_data_is_never_an_indented_block() -> None:
    assert as_text("    four spaces") == "four spaces"


def pieces_of(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "A dbo:birthPlace, then [1][2]. See ![a](http://evil.test/b) or `x:y` at 10:20 http://e.test.",
        "偏头痛可用布洛芬治疗[1]，注意:不要过量[2]。",
        "ends with a colon:",
        "ends with [an open bracket",
    ],
)
def test_a_stream_ends_as_the_whole_text(text: str, size: int) -> None:
    stream = StreamedText("**Before**\n\n")
    shown = stream.shown
    for piece in [*pieces_of(text, size), None]:
        added, replaces = stream.finish() if piece is None else stream.add(piece)
        shown = added if replaces else shown + added
        assert shown == stream.shown
        assert not re.search(r"(?<!\\):[A-Za-z]", re.sub(r"`[^`]*`", "", shown))
        assert "](http" not in shown
    assert shown == "**Before**\n\n" + safe_markdown(text)


def test_a_trailing_colon_is_held_back() -> None:
    stream = StreamedText()
    assert stream.add("dbo:") == ("dbo", False)
    assert stream.add("birthPlace") == (r"\:birthPlace", False)


def test_a_stream_of_chinese_is_not_held_up() -> None:
    stream = StreamedText()
    assert stream.add("布洛芬[1]，其次") == ("布洛芬[1]，其次", False)


@given(st.lists(st.text(alphabet="ab[]()!`\\:~* \n1", max_size=6), max_size=12))
def test_any_stream_ends_as_the_whole_text(pieces: list[str]) -> None:
    stream = StreamedText()
    shown = ""
    for piece in [*pieces, None]:
        added, replaces = stream.finish() if piece is None else stream.add(piece)
        shown = added if replaces else shown + added
    assert shown == safe_markdown("".join(pieces))

"""What the command line prints of an answer's evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.notices import notices_for
from bot.terminal import print_record
from kg.model import Entity, Hop, Relation, Triple
from tests.bot.history.samples import STARTER, evidence, path_evidence, record, triple_evidence
from tests.graphs import entity, retrieval


def printed(capsys: pytest.CaptureFixture[str], *cited: object, language: str = "en") -> list[str]:
    print_record(record(cited=cited, language=language))  # type: ignore[arg-type]
    return capsys.readouterr().out.splitlines()


def test_a_chain_reads_from_its_start_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, path_evidence(), triple_evidence("Aspirin"))
    at = lines.index("Evidence")
    assert lines[at + 1] == (
        "[1] Migraine –is treated by→ Sumatriptan ←is contraindicated with– Angina pectoris"
    )
    assert lines[at + 2] == (
        "    Migraine –is treated by→ Sumatriptan · MESH:D008881 · Graphcite starter graph 1.0"
    )
    assert lines[at + 3] == (
        "    Angina pectoris –is contraindicated with→ Sumatriptan · PMID:1 · "
        "Graphcite starter graph 1.0"
    )
    assert lines[at + 4] == "[2] Migraine –is treated by→ Aspirin"
    assert lines[at + 5] == "    MESH:D008881 · PMID:12345678 · Graphcite starter graph 1.0"


def test_a_single_fact_stands_as_the_graph_states_it(capsys: pytest.CaptureFixture[str]) -> None:
    item = triple_evidence("Aspirin")
    backwards = replace(item, hops=(replace(item.hops[0], forward=False),))
    assert "[1] Migraine –is treated by→ Aspirin" in printed(capsys, backwards)


@pytest.mark.parametrize(
    ("language", "mark"), [("en", " (from the hypothesis)"), ("zh", "（来自假设）")]
)
def test_what_a_hypothesis_brought_is_marked(
    capsys: pytest.CaptureFixture[str], language: str, mark: str
) -> None:
    item = replace(triple_evidence("Aspirin"), origin="hypothesis")
    lines = printed(capsys, item, language=language)
    assert f"[1] Migraine –is treated by→ Aspirin{mark}" in lines


def test_labels_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    evil = Entity("http://e/x", "a\x1b[2Jb\r\nc")
    fact = Triple(evil, Relation("http://e/r", "is\x07"), evil, (STARTER,))
    lines = printed(capsys, evidence("path", (Hop(fact), Hop(fact)), "", 1))
    assert not any(sign in line for line in lines for sign in "\x1b\x07\r")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "hypothesis: 1,234 characters, unverified; 0 names from it"),
        ("zh", "假设答案：1234 个字符，未经核实；从中得到 0 个名称"),
    ],
)
def test_a_hypothesis_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], language: str, line: str
) -> None:
    answer = record(language=language)
    answer = replace(answer, retrieval=replace(answer.retrieval, hypothesis="x" * 1234))
    print_record(answer)
    assert line in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_answer_without_the_graph_says_that_nothing_was_checked(language: str) -> None:
    asked = retrieval("Migraine?", [], entity("migraine"), language=language)
    (first, *rest) = notices_for("medical", replace(asked, strategy="base"))
    assert first.startswith(("Written by a language model from its own knowledge:", "由语言模型"))
    assert rest == list(notices_for("medical", asked))

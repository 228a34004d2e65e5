"""`graphcite kg …` on the command line: wrong numbers, help, damaged graphs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.local.generations import current_generation
from tests.command import graphcite

NO_ENCODER = {"GRAPHCITE_ENCODER": "none"}


@pytest.mark.parametrize("seconds", ["inf", "1e300", "nan", "0", "-1", "3600.5", "soon"])
def test_a_time_to_run_must_make_sense(tmp_path: Path, seconds: str) -> None:
    done = graphcite(tmp_path, "kg", "query", "ASK {}", "--seconds", seconds)
    assert done.code == 2 and "Traceback" not in done.err
    assert "Invalid value for '--seconds'" in done.err


@pytest.mark.parametrize(
    ("command", "example"),
    [
        ("import", "graphcite kg import obo doid.obo --name disease-ontology"),
        ("query", "GRAPH <urn:graphcite:source:starter>"),
    ],
)
def test_the_help_has_examples_on_lines_of_their_own(
    tmp_path: Path, command: str, example: str
) -> None:
    done = graphcite(tmp_path, "kg", command, "--help")
    assert any(example in line for line in done.out.splitlines())


def test_a_damaged_graph_is_told_in_one_line_and_mended_by_an_import(tmp_path: Path) -> None:
    file = tmp_path / "small.ttl"
    file.write_text(
        '<http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> "gout" ; <http://e/p> "x" .'
    )
    folder = tmp_path / "graphs" / "medical"
    assert graphcite(tmp_path, "kg", "import", str(file)).code == 0
    ask, *others = (
        ["ask", "What is gout?", "--no-save"],
        ["kg", "info"],
        ["kg", "query", "ASK {}"],
    )
    # what changes no size is found by those who read it, and by an import
    for name, content, commands in (
        ("cards.data", b"", [ask, *others]),
        ("names.data", os.urandom(18), [ask]),
    ):
        path = current_generation(folder) / "sources" / "small" / name
        assert name == "cards.data" or len(content) == path.stat().st_size
        path.unlink()
        path.write_bytes(content)
        for words in commands:
            done = graphcite(tmp_path, *words, **NO_ENCODER)
            told = done.problem if done.code else done.out
            assert f"{folder} is damaged" in told and "Traceback" not in done.err
        listed = graphcite(tmp_path, "kg", "list")
        assert "small" in listed.out and ("is damaged" in listed.err) == (not content)
        done = graphcite(tmp_path, "kg", "import", str(file))
        assert "2 triples" in done.err and "there already" not in done.err
        assert graphcite(tmp_path, "kg", "info").code == 0

"""`graphcite kg …` on the command line: options, listings, help, damaged graphs."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot import import_options
from bot.cli import main
from bot.terminal import age, age_in_days
from kg.local.generations import current_generation
from kg.sources.importing import KINDS, TABLE
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


def kg_import(home: Path, *words: str) -> Result:
    """The command in this process, which is quicker."""
    return CliRunner().invoke(main, ["kg", "import", *words], env={"GRAPHCITE_HOME": str(home)})


TURTLE = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:gout e:called "gout" ; e:alias "podagra" ; e:says "A painful joint." ; e:treatedWith e:x .
e:x rdfs:label "colchicine" ; e:strange e:gout .
"""


def test_the_usage_names_every_kind() -> None:
    assert import_options.USAGE.split("|") == [*KINDS, f"{TABLE}MAPPING"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["obo", "a.obo", "--label-property", "rdfs:label"], "--label-property is for imports of"),
        (["umls", "META", "--synonym-property", "e:p"], "for imports of rdf, not of umls"),
        (["starter", "--language", "ENG"], "--language is for imports of umls, not of starter"),
        (["table:mesh", "mesh", "--suppressed"], "--suppressed is for imports of umls"),
        (["a.ttl", "--label-property", "e:p", "--vocabulary", "MSH"], "umls, not of rdf"),
        (["csv", "a.csv"], "'csv' is no kind of import (rdf|obo|hpo|umls"),
        (["table:"], "Name a mapping after 'table:'"),
        (["a.ttl", "--date", "31.8.2026"], "is no date: write it as 2026-08-31"),
        (["a.ttl", "--date", "2026-02-30"], "is no date"),
        (["a.ttl", "--homepage", "example.org"], "does not begin with http"),
        ([], "Missing argument"),
    ],
)
def test_wrong_options_are_wrong_usage(tmp_path: Path, words: list[str], said: str) -> None:
    done = kg_import(tmp_path, *words)
    assert done.exit_code == 2 and said in done.output
    assert not list(tmp_path.rglob("CURRENT"))


def test_properties_and_details_that_the_user_names(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(TURTLE + "<http://example.org/set> a <http://rdfs.org/ns/void#Dataset> ;\n"
                    "  <http://purl.org/dc/terms/title> \"Of the file\" .")  # fmt: skip
    words = [str(file), "--label-property", "http://example.org/called"]
    words += ["--synonym-property", "<http://example.org/alias>"]
    words += ["--description-property", "http://example.org/says"]
    details = ["--title", "Of the user", "--version", "7", "--licence", "CC BY-NC 4.0"]
    details += ["--date", "2020-02", "--homepage", "https://example.org"]
    assert "8 triples" in kg_import(tmp_path, *words, *details).output
    (row,) = graphcite(tmp_path, "kg", "list", "--json").json
    assert (row["title"], row["version"], row["date"]) == ("Of the user", "7", "2020-02")
    assert (row["licence"], row["homepage"]) == ("CC BY-NC 4.0", "https://example.org")
    assert row["non_commercial"] is True and row["age_days"] > 365
    assert row["names"] == 3, "label, synonym, label"
    asked = graphcite(tmp_path, "ask", "What is podagra?", "--no-save", "--json", **NO_ENCODER).json
    assert "A painful joint" in asked["answer"]
    # other properties: another source
    assert "already" in kg_import(tmp_path, *words, *details).output
    assert "already" not in kg_import(tmp_path, *words[:-2], *details).output


def test_a_property_must_be_one(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(TURTLE)
    for value in ("name", "e:name", "skos:", "http://e/ x", ""):
        done = kg_import(tmp_path, str(file), "--label-property", value)
        assert done.exit_code == 1 and "such as skos:prefLabel" in done.output
    twice = ["--label-property", "rdfs:comment", "--description-property", "rdfs:comment"]
    done = kg_import(tmp_path, str(file), *twice)
    assert done.exit_code == 1 and "cannot be two of" in done.output


def test_the_list_shows_ages_and_licences(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(TURTLE)
    kg_import(tmp_path, str(file), "--date", "2001-01-01", "--licence", "CC-BY-NC-SA-4.0")
    kg_import(tmp_path, str(file), "--name", "undated", "--licence", "CC0")
    heading, old, undated = graphcite(tmp_path, "kg", "list").out.splitlines()
    assert heading.split()[:6] == ["name", "title", "version", "date", "age", "licence"]
    assert "2001-01-01" in old and " years  CC-BY-NC-SA-4.0 (non-commercial)" in old
    assert "CC0" in undated and "(non-commercial)" not in undated and "year" not in undated


def test_the_relations_that_no_aspect_fits_are_told_with_their_share(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(TURTLE)
    kg_import(tmp_path, str(file))
    info = graphcite(tmp_path, "kg", "info", "--json").json
    shares = {relation["label"]: relation["share"] for relation in info["relations"]}
    assert shares == {"alias": 0.2, "called": 0.2, "says": 0.2, "strange": 0.2, "treated with": 0.2}
    without = [relation["label"] for relation in info["without_aspect"]]
    assert "strange" in without and "treated with" not in without
    assert info["share_without_aspect"] == pytest.approx(0.2 * len(without))
    told = graphcite(tmp_path, "kg", "info").out
    assert "No aspect fits 80.0% of the facts: " in told and "strange (20.0%)" in told


TODAY = date(2026, 9, 1)


@pytest.mark.parametrize(
    ("day", "days", "words"),
    [
        ("2026-08-31", 1, "0 months"),
        ("2026-07-31T10:00:00Z", 32, "1 month"),
        ("2025-03", 519, "17 months"),
        ("2024-12", 609, "20 months"),
        ("2013", 4627, "12 years"),
        ("2026", 0, "0 months"),
        ("2030-01-01", 0, "0 months"),
        ("2015-02-30", None, ""),
        ("last week", None, ""),
        ("20150101", None, ""),
        ("9999-12", None, ""),
        (None, None, ""),
    ],
)
def test_ages(day: str | None, days: int | None, words: str) -> None:
    assert age_in_days(day, TODAY) == days
    assert age(age_in_days(day, TODAY)) == words


TWO_SOURCES = {
    "one": '<http://e/drug> <http://www.w3.org/2000/01/rdf-schema#label> "betahistine"@en ; '
    "<urn:graphcite:vocabulary:treats> <http://e/vertigo> . "
    '<http://e/vertigo> <http://www.w3.org/2000/01/rdf-schema#label> "vertigo"@en, "眩晕"@zh .',
    "two": "<http://e/drug> <urn:graphcite:vocabulary:doesNotTreat> <http://e/vertigo> ; "
    "<http://www.w3.org/2002/07/owl#sameAs> <http://f/drug> . "
    '<http://f/drug> <http://www.w3.org/2000/01/rdf-schema#label> "Betahistine"@en .',
}


def test_looking_names_and_conflicts_up(tmp_path: Path) -> None:
    for name, turtle in TWO_SOURCES.items():
        (tmp_path / f"{name}.ttl").write_text(turtle, encoding="utf-8")
        assert graphcite(tmp_path, "kg", "import", str(tmp_path / f"{name}.ttl")).code == 0
    for typed, how in (("betahistine", "exact"), ("beta", "prefix"), ("betahistin", "prefix")):
        (row,) = graphcite(tmp_path, "kg", "find", typed, "--json").json
        assert row["how"] == how and 0 < row["score"] <= 1
        assert sorted(row["ids"]) == ["http://e/drug", "http://f/drug"]
    found = graphcite(tmp_path, "kg", "find", "眩", "--language", "zh")
    assert "眩晕" in found.out and "http://e/vertigo" in found.out
    nothing = graphcite(tmp_path, "kg", "find", "nowhere")
    assert nothing.code == 0 and "Nothing in the graph is called 'nowhere'." in nothing.out
    (row,) = graphcite(tmp_path, "kg", "conflicts", "--json").json
    assert row["says"]["fact"] == "betahistine – treats → vertigo"
    assert row["denies"]["fact"] == "betahistine – is not indicated for → vertigo"
    assert (row["says"]["sources"], row["denies"]["sources"]) == (["one"], ["two"])
    assert "(one)" in graphcite(tmp_path, "kg", "conflicts").out
    assert graphcite(tmp_path, "kg", "info", "--json").json["joined"] == 1
    graphcite(tmp_path, "kg", "drop", "two")
    assert "No fact contradicts another." in graphcite(tmp_path, "kg", "conflicts").out
    assert graphcite(tmp_path, "kg", "info", "--json").json["joined"] == 0

"""The command line over real graphs: contract, exit codes, one-line errors."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.answering.phrases import ABSTENTION
from tests.command import Result, graphcite
from tests.needs import need

MARFAN = "What are the signs of Marfan syndrome?"
NO_ENCODER = {"GRAPHCITE_ENCODER": "none"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a graph of three facts."""
    home = tmp_path_factory.mktemp("home")
    file = home / "small.ttl"
    file.write_text(
        "@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        'e:a rdfs:label "Alpha disease" ; e:has_symptom e:b . e:b rdfs:label "beta pain" .\n'
        'e:c rdfs:label "<b>gamma</b> dbo:x\\u200B [1]" ; e:treats e:a .\n',
        encoding="utf-8",
    )
    done = graphcite(home, "kg", "import", str(file), "--name", "small")
    assert done.code == 0 and done.out == ""
    assert "small: 5 triples, 3 entities, 3 names" in done.err
    return home


@pytest.fixture(scope="module")
def marfan(full_home: Path) -> Result:
    return graphcite(full_home, "ask", MARFAN, "--json")


def test_the_main_job_over_the_real_hpo(marfan: Result) -> None:
    assert marfan.code == 0
    document = marfan.json
    phenotypes = [
        item["hops"][0]
        for item in document["evidence"]
        if item["hops"][0]["relation"]["iri"] == "urn:graphcite:vocabulary:hasPhenotype"
        and item["hops"][0]["subject"]["label"] == "Marfan syndrome"
    ]
    assert len(phenotypes) >= 10
    for hop in phenotypes:
        assert any(re.fullmatch(r"HP:\d{7}", one) for one in hop["object"]["identifiers"])
        assert hop["references"]
        assert hop["sources"][0]["name"] == "hpo"
    numbers = {item["number"] for item in document["evidence"] if item["cited"]}
    sentences = re.split(r"(?<=\.)\s+", document["answer"].strip())
    assert len(sentences) >= 3
    for sentence in sentences:
        cited = {int(number) for number in re.findall(r"\[(\d+)\]", sentence)}
        assert cited and cited <= numbers
    assert document["citation_recall"] == document["citation_precision"] == 1.0
    assert {sentence["verdict"] for sentence in document["sentences"]} == {"supported"}


def test_the_document_is_the_contract_s(marfan: Result) -> None:
    document = marfan.json
    assert document["question"] == document["standalone_question"] == MARFAN
    assert (document["mode"], document["language"]) == ("medical", "en")
    assert document["aspects"] == ["symptom"]
    assert document["safety"] == {"advice": None, "kind": None}
    assert document["strategy"]["name"] == "kg-rank"
    assert document["strategy"]["parameters"]["ranking"] == "similarity"
    assert document["strategy"]["parameters"]["encoder"] == "all-MiniLM-L6-v2"
    assert document["graph"]["name"] == "medical" and document["graph"]["endpoint"] is None
    assert document["model"] == {"name": None, "calls": {}, "tokens": 0}
    assert document["complete"] is True and document["problems"] == []
    assert any("not a medical device" in notice for notice in document["notices"])
    entity = document["entities"][0]
    assert (entity["iri"], entity["how"]) == ("https://omim.org/entry/154700", "exact")
    assert {c["label"] for c in entity["candidates"]} == {"Marfan syndrome"}
    for name in ("mentions", "linking", "retrieval", "ranking", "answer", "check"):
        assert document["timings"][name] >= 0
    item = document["evidence"][0]
    assert item["rank"] == 1 and item["cited"] and item["kind"] == "triple"
    assert 0 < item["scores"]["similarity"] <= 1
    assert item["hops"][0]["forward"] is True


def test_the_same_question_gives_the_same_evidence(full_home: Path, marfan: Result) -> None:
    again = graphcite(full_home, "ask", MARFAN, "--json", "--no-save").json
    assert again["conversation"] is None
    for part in ("answer", "evidence", "sentences", "entities"):
        assert again[part] == marfan.json[part]


def test_absent_findings_are_no_signs(full_home: Path) -> None:
    query = (
        "SELECT ?d ?p WHERE { ?d <urn:graphcite:vocabulary:lacksPhenotype> ?p . "
        "FILTER NOT EXISTS { ?d <urn:graphcite:vocabulary:hasPhenotype> ?p } } LIMIT 1"
    )
    row = graphcite(full_home, "kg", "query", query).json["results"]["bindings"][0]
    labels = [
        graphcite(
            full_home, "kg", "query", f"SELECT ?l WHERE {{ <{row[v]['value']}> <{LABEL}> ?l }}"
        ).json["results"]["bindings"][0]["l"]["value"]
        for v in ("d", "p")
    ]
    question = f"What are the signs of {labels[0]}?"
    document = graphcite(full_home, "ask", question, "--set", "top=1000", "--json").json
    for item in document["evidence"]:
        hop = item["hops"][0]
        if (hop["subject"]["iri"], hop["object"]["iri"]) == (row["d"]["value"], row["p"]["value"]):
            assert hop["relation"]["aspect"] == "absence"
            break
    else:
        pytest.fail("the absent finding is not among the evidence")


LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def test_a_conversation_goes_on_and_is_listed_and_shown(home: Path) -> None:
    first = graphcite(
        home, "ask", "What are the symptoms of Alpha disease?", "--json", **NO_ENCODER
    )
    conversation = first.json["conversation"]
    assert "beta pain" in first.json["answer"]
    words = ("ask", "And how is it treated?", "--conversation", conversation, "--json")
    second = graphcite(home, *words, **NO_ENCODER).json
    assert second["conversation"] == conversation
    assert second["entities"][0]["how"] == "carried"
    listed = graphcite(home, "conversations", "list", "--json").json
    assert listed[0]["id"] == conversation
    assert listed[0]["name"] == "What are the symptoms of Alpha disease?"
    shown = graphcite(home, "conversations", "show", conversation, "--json").json
    answers = [turn["answers"][0] for turn in shown["turns"]]
    assert [a["question"] for a in answers] == [
        "What are the symptoms of Alpha disease?",
        "And how is it treated?",
    ]
    assert answers[0] == first.json and answers[1] == second
    text = graphcite(home, "conversations", "show", conversation)
    assert "> And how is it treated?" in text.out and "[1] Alpha disease" in text.out


def test_markup_in_labels_stays_text(home: Path) -> None:
    done = graphcite(home, "ask", "How is Alpha disease treated?", "--json", **NO_ENCODER)
    item = done.json["evidence"][0]
    assert item["hops"][0]["subject"]["label"] == "<b>gamma</b> dbo:x [1]"
    assert done.json["sentences"][0]["citations"] == [1]
    assert done.json["citation_recall"] == 1.0
    plain = graphcite(home, "ask", "How is Alpha disease treated?", "--no-save", **NO_ENCODER)
    assert "<b>gamma</b> dbo:x [1] [1]." in plain.out


def test_an_abstention_is_no_failure(home: Path) -> None:
    done = graphcite(home, "ask", "How do I file taxes?", "--json", "--no-save", **NO_ENCODER)
    assert done.code == 0
    assert done.json["answer"] == ABSTENTION["en"]
    assert done.json["sentences"] == [] and done.json["citation_recall"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ask", ""], "The question is empty"),
        (["ask", "x " * 10_000], "20,000 characters"),
        (["ask", "x", "--mode", "open"], "not set up yet"),
        (["ask", "x", "--sources", "nowhere"], "no source 'nowhere'. It has: small."),
        (["ask", "x", "--conversation", "nope"], "no conversation nope"),
        (["kg", "import", "missing.ttl"], "missing.ttl"),
        (["kg", "drop", "nowhere"], "no source 'nowhere'"),
        (["kg", "info", "nowhere"], "no source 'nowhere'"),
        (["kg", "query", "SELEKT"], "cannot be read"),
        (["kg", "query", "DELETE WHERE { ?s ?p ?o }"], "cannot be read"),
        (["kg", "query", "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }"], "SERVICE"),
        (["conversations", "show", "nope"], "no conversation nope"),
        (["serve", "--host", "0.0.0.0"], "0.0.0.0"),
    ],
)
def test_problems_are_told_in_one_line(home: Path, words: list[str], message: str) -> None:
    done = graphcite(home, *words, **NO_ENCODER)
    assert message in done.problem
    assert done.out == ""


@pytest.mark.parametrize(
    "words",
    [
        ["ask"],
        ["ask", "x", "--strategy", "magic"],
        ["ask", "x", "--set", "top"],
        ["ask", "x", "--set", "top=none"],
        ["ask", "x", "--set", "colour=red"],
        ["ask", "x", "--conversation", "a", "--no-save"],
        ["kg", "import"],
        ["serve", "--port", "0"],
        ["nonsense"],
    ],
)
def test_wrong_usage_is_exit_code_2(home: Path, words: list[str]) -> None:
    done = graphcite(home, *words)
    assert done.code == 2 and done.out == ""
    assert "Usage:" in done.err and "Traceback" not in done.err


def test_without_a_graph_every_command_says_what_to_do(tmp_path: Path) -> None:
    for words in (["ask", "x"], ["kg", "list"], ["kg", "info"], ["kg", "drop", "x"]):
        assert "graphcite kg import starter" in graphcite(tmp_path, *words).problem
    doctor = graphcite(tmp_path, "doctor", "--json")
    assert doctor.code == 1
    states = {finding["what"]: finding["state"] for finding in json.loads(doctor.out)}
    assert states["graph"] == "problem" and states["history"] == "ok"


def test_sources_are_imported_listed_and_dropped(home: Path, tmp_path: Path) -> None:
    (tmp_path / "other.nt").write_text('<http://e/x> <http://e/p> "1" .\nbroken\n')
    report = graphcite(home, "kg", "import", str(tmp_path / "other.nt"), "--json")
    assert report.json["name"] == "other" and report.json["skipped"] == 1
    assert "other.nt" in report.err
    again = graphcite(home, "kg", "import", str(tmp_path / "other.nt"))
    assert "the same statements are there already" in again.err
    assert [s["name"] for s in graphcite(home, "kg", "list", "--json").json] == ["other", "small"]
    info = graphcite(home, "kg", "info", "small", "--json").json
    assert {r["label"]: r["aspect"] for r in info["relations"]} == {
        "has symptom": "symptom",
        "treats": "treatment",
    }
    assert graphcite(home, "kg", "drop", "other").code == 0
    assert [s["name"] for s in graphcite(home, "kg", "list", "--json").json] == ["small"]


def test_doctor_names_every_host(home: Path) -> None:
    quiet = graphcite(home, "doctor")
    assert quiet.code == 0 and "nothing leaves this machine" in quiet.out
    loud = graphcite(
        home,
        "doctor",
        GRAPHCITE_OFFLINE="0",
        GRAPHCITE_MODEL="m",
        GRAPHCITE_MODEL_BASE_URL="https://user:secret@llm.example.org:8443/v1",
        GRAPHCITE_MODEL_KEY="secret-key",
        GRAPHCITE_ENCODER="https://user:secret@embeddings.example.org/v1#m",
    )
    assert "embeddings.example.org, llm.example.org" in loud.out
    assert "secret" not in loud.out + loud.err


def test_a_locked_history_does_not_keep_an_answer_back(home: Path, tmp_path: Path) -> None:
    (tmp_path / "graphs").symlink_to(home / "graphs")
    question = ("ask", "How is Alpha disease treated?", "--json")
    assert graphcite(tmp_path, *question, **NO_ENCODER).json["conversation"]
    other = sqlite3.connect(tmp_path / "graphcite.sqlite", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        done = graphcite(tmp_path, *question, **NO_ENCODER)
    finally:
        other.close()
    assert done.code == 0 and "gamma" in done.json["answer"]
    assert done.json["conversation"] is None
    assert "This answer is not kept" in done.err


def test_a_full_standard_output_is_told(home: Path) -> None:
    need(Path("/dev/full").exists(), "this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bot.cli", "kg", "list", "--json"],
            env={**os.environ, "GRAPHCITE_HOME": str(home)},
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1 and b"Traceback" not in done.stderr


def test_a_bad_setting_is_told_in_one_line(home: Path) -> None:
    done = graphcite(home, "kg", "list", GRAPHCITE_PORT="eighty")
    assert done.problem == "GRAPHCITE_PORT is 'eighty' but is not a number."


def test_version_and_help(home: Path) -> None:
    assert re.fullmatch(r"graphcite, version \d+\.\d+\.\d+\n", graphcite(home, "--version").out)
    for words in ([], ["ask"], ["kg"], ["kg", "import"], ["serve"], ["conversations"], ["doctor"]):
        assert "Usage: " in graphcite(home, *words, "--help").out

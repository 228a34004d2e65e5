"""What each strategy does, by each ranking, on each graph, with a scripted model and with none.

DESIGN.md §2 says what that is; every row is asked through the command line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.strategies.names import NEED_A_MODEL, STRATEGIES
from kg.strategies.parameters import RANKINGS
from tests.bot.shown.asking import Document
from tests.bot.shown.cases import Case, asked

CHAINS = {"path", "co-ancestor", "co-occurrence"}
FACTS = {"triple", "description"}
FIELDS = set(
    "conversation question standalone_question mode language aspects safety strategy answer "
    "notices remarks cautions sentences citation_recall citation_precision evidence entities "
    "hypothesis chains queries graph complete problems timings model".split()
)


# With a model: the calls of each, beside the draft of `expansion`.
CALLS = {
    "kg-rank": {"answer": 1},
    "hykge": {"hypothesis": 1, "answer": 1},
    "graph-rag": {"answer": 1},
    "query-expansion": {"query-expansion": 1, "answer": 1},
    "chain-of-note": {"notes": 1, "answer": 1},
    "chain-of-knowledge": {"knowledge-steps": 1, "knowledge-correction": 2, "answer": 1},
    "base": {"base": 1},
}
STAGES = {
    "kg-rank": {"mentions", "linking", "retrieval", "ranking"},
    "hykge": {"mentions", "linking", "chains", "ranking", "descriptions"},
    "graph-rag": {"mentions", "linking", "retrieval", "chains", "ranking"},
    "query-expansion": {"mentions", "linking", "query expansion", "retrieval", "ranking"},
    "chain-of-note": {"mentions", "linking", "retrieval", "chains", "ranking", "notes"},
    "chain-of-knowledge": {"mentions", "linking", "steps", "retrieval", "correction", "chains"},
    "base": set(),
}
KINDS = {
    "kg-rank": FACTS,
    "query-expansion": FACTS,
    "hykge": CHAINS | FACTS,
    "graph-rag": CHAINS | FACTS,
    "chain-of-note": CHAINS | FACTS,
    "chain-of-knowledge": CHAINS | FACTS,
    "base": set(),
}
NOTES = {
    "query-expansion": {"query expansion"},
    "chain-of-note": {"notes"},
    "chain-of-knowledge": {"steps"},
}


def assert_whole(document: Document, case: Case) -> None:
    """What holds of every answer: the contract's fields, numbers that stand for evidence."""
    assert document.keys() >= FIELDS
    assert document["question"] == document["standalone_question"] == case.question
    assert (document["language"], document["complete"]) == (case.language, True)
    assert document["graph"]["name"] == "medical" and document["graph"]["version"]
    assert {"answer", "check"} <= document["timings"].keys()
    evidence = document["evidence"]
    assert [item["rank"] for item in evidence] == list(range(1, len(evidence) + 1))
    assert len({item["key"] for item in evidence}) == len(evidence)
    several = [item for item in evidence if len(item["hops"]) > 1]
    assert document["chains"]["kept"] == len(several)
    assert all(item["kind"] in CHAINS for item in several)
    numbers = [item["number"] for item in evidence if item["cited"]]
    cited = {number for sentence in document["sentences"] for number in sentence["citations"]}
    assert sorted(cited) == sorted(numbers) == list(range(1, len(numbers) + 1))
    for item in evidence:
        assert item["hops"] and all(hop["sources"] for hop in item["hops"])


def assert_cited(document: Document) -> None:
    """An answer whose every sentence states what it cites."""
    assert document["sentences"], document["answer"]
    for sentence in document["sentences"]:
        assert sentence["citations"] and sentence["verdict"] == "supported", sentence
    assert document["citation_recall"] == document["citation_precision"] == 1.0


def assert_unused(document: Document, *, ranking: bool, further: int = 0) -> None:
    """That nothing went wrong, but that a ranking was asked for which the strategy has none of."""
    unused = [line for line in document["problems"] if "not used" in line or "不使用" in line]
    assert len(unused) == (not ranking) and all("ranking" in line for line in unused)
    assert len(document["problems"]) == len(unused) + further


def resolved(strategy: str) -> str:
    """What `auto` is for a question about two things."""
    return "hykge" if strategy == "auto" else strategy


def assert_found(document: Document, case: Case, strategy: str) -> None:
    """Stages, kinds of evidence, names and chains of a strategy."""
    name = resolved(strategy)
    assert document["strategy"]["name"] == name and document["strategy"]["why"]
    assert STAGES[name] <= document["timings"].keys()
    kinds = {item["kind"] for item in document["evidence"]}
    assert kinds <= KINDS[name]
    of_question = [e for e in document["entities"] if e["origin"] == "question"]
    assert {e["label"] for e in of_question if not e.get("nested")} == set(case.names)
    found = sum(document["chains"]["found"].values())
    if KINDS[name] & CHAINS:
        assert kinds & CHAINS and found >= document["chains"]["kept"] > 0
    else:
        assert found == 0 and "triple" in kinds


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "base"])
def test_with_a_model(home: Path, case: Case, strategy: str, ranking: str) -> None:
    shown = asked(home, case, strategy, f"ranking={ranking}", model=True)
    assert shown.code == 0, shown.error
    document = shown.document
    assert_whole(document, case)
    assert_found(document, case, strategy)
    assert_cited(document)
    name = resolved(strategy)
    drafts = ranking == "expansion" and name == "kg-rank"
    calls = CALLS[name] | ({"expansion": 1} if drafts else {})
    assert document["model"]["calls"] == shown.calls == calls
    assert document["model"]["name"] == "scripted"
    assert document["model"]["tokens"] == 7 * sum(calls.values())
    assert_unused(document, ranking=name in ("kg-rank", "hykge"))
    assert document["notes"].keys() == NOTES.get(name, set()) | ({"expansion"} if drafts else set())
    assert document["hypothesis"] == (case.replies["hypothesis"] if name == "hykge" else None)
    if name == "kg-rank":
        assert document["strategy"]["parameters"]["ranking"] == ranking


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("strategy", [s for s in STRATEGIES if s not in NEED_A_MODEL])
def test_without_a_model(home: Path, case: Case, strategy: str, ranking: str) -> None:
    document = asked(home, case, strategy, f"ranking={ranking}", model=False).document
    assert_whole(document, case)
    assert_found(document, case, strategy)
    assert_cited(document)
    assert document["model"] == {"name": None, "calls": {}, "tokens": 0}
    assert document["hypothesis"] is None and document["notes"] == {}
    if strategy == "kg-rank":
        stepped_down = ranking == "expansion"
        used = document["strategy"]["parameters"]["ranking"]
        assert used == ("similarity" if stepped_down else ranking)
        told = " ".join(document["problems"])
        assert_unused(document, ranking=True, further=int(stepped_down))
        assert ("ranked by similarity instead" in told or "改用相似度" in told) is stepped_down


@pytest.mark.parametrize("strategy", NEED_A_MODEL)
def test_what_is_nothing_without_a_model_says_so(home: Path, case: Case, strategy: str) -> None:
    shown = asked(home, case, strategy, model=False)
    (line,) = shown.error.splitlines()
    assert shown.code == 1
    assert line.startswith(f"Error: The strategy {strategy} needs a language model: set ")


def test_hykge_says_that_it_ran_without_a_hypothesis(home: Path, case: Case) -> None:
    document = asked(home, case, "hykge", model=False).document
    told = " ".join([document["strategy"]["why"], *document["problems"]])
    assert "without a model" in told or "没有语言模型" in told


def test_base_is_the_model_alone(home: Path, case: Case) -> None:
    shown = asked(home, case, "base", model=True)
    document = shown.document
    assert document["strategy"]["name"] == "base" and document["evidence"] == []
    assert document["answer"] == case.replies["base"]
    assert document["model"]["calls"] == {"answer": 1} and shown.calls == {"base": 1}
    assert {sentence["verdict"] for sentence in document["sentences"]} == {"uncited"}
    assert document["remarks"] == []
    assert any("its own knowledge" in n or "自身知识" in n for n in document["notices"])

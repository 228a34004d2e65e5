"""What the settings of the strategies do to a whole answer: names, re-ranker, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.shown.asking import Document, ask
from tests.bot.shown.cases import Case, asked
from tests.kg.ranking.test_rerankers import save_model

CHAINS = {"path", "co-ancestor", "co-occurrence"}
UNHURRIED = {"GRAPHCITE_RERANKER_SECONDS": "600"}
CROSS_ENCODER = {"GRAPHCITE_RERANKER_LANGUAGES": "en,zh", **UNHURRIED}


def kinds(document: Document) -> set[str]:
    return {item["kind"] for item in document["evidence"]}


def facts(document: Document) -> list[Document]:
    """The evidence that was ranked."""
    return [item for item in document["evidence"] if item["kind"] != "description"]


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-cross-encoder"
    return save_model(folder, "BertForSequenceClassification", num_labels=1)


def test_terms_that_a_model_names_are_linked(home: Path, case: Case) -> None:
    shown = asked(home, case, "kg-rank", "ner=prompt", model=True)
    assert shown.document["model"]["calls"] == shown.calls == {"ner": 1, "answer": 1}
    assert {entity["label"] for entity in shown.document["entities"]} == set(case.names)
    assert "terms" in shown.document["timings"] and shown.document["problems"] == []


def test_without_a_model_the_graph_s_names_are_used_and_that_is_said(
    home: Path, case: Case
) -> None:
    document = asked(home, case, "kg-rank", "ner=prompt", model=False).document
    assert {entity["label"] for entity in document["entities"]} == set(case.names)
    (line,) = document["problems"]
    assert "the graph's names were used" in line or "改用图谱中的名称" in line


@pytest.mark.parametrize(
    ("strategy", "ranking"), [("kg-rank", "similarity"), ("kg-rank", "mmr"), ("hykge", None)]
)
def test_a_cross_encoder_ranks_what_is_kept(
    home: Path, case: Case, strategy: str, ranking: str | None, cross_encoder: Path
) -> None:
    words = ("--strategy", strategy, *(("--set", f"ranking={ranking}") if ranking else ()))
    words += ("--set", f"reranker={cross_encoder}", "--set", "keep=30")
    document = ask(home, case.question, *words, **CROSS_ENCODER).document
    assert document["strategy"]["parameters"]["reranker"] == cross_encoder.name
    assert "loading re-ranker" in document["timings"] and document["problems"] == []
    assert all("rerank" in item["scores"] for item in facts(document))
    assert all(("mmr" in item["scores"]) is (ranking == "mmr") for item in facts(document))


def test_a_cross_encoder_ranks_no_language_that_it_was_not_given(
    home: Path, case: Case, cross_encoder: Path
) -> None:
    words = ("--strategy", "kg-rank", "--set", f"reranker={cross_encoder}", "--set", "keep=30")
    document = ask(home, case.question, *words, **UNHURRIED).document
    english = case.language == "en"
    assert all(("rerank" in item["scores"]) is english for item in facts(document))
    told = [line for line in document["problems"] if "不支持该语言" in line]
    assert len(told) == len(document["problems"]) == (not english)


def test_mmr_and_expansion_leave_their_scores(home: Path, case: Case) -> None:
    document = asked(home, case, "kg-rank", "ranking=mmr", model=False).document
    assert all({"mmr", "score"} <= item["scores"].keys() for item in facts(document))
    plain = asked(home, case, "kg-rank", model=False).document
    assert all("mmr" not in item["scores"] for item in facts(plain))


@pytest.mark.parametrize("model", [True, False])
def test_hykge_without_its_hypothesis_asks_for_none(home: Path, case: Case, model: bool) -> None:
    shown = asked(home, case, "hykge", "without=ho", model=model)
    document = shown.document
    assert document["hypothesis"] is None and kinds(document) & CHAINS
    assert document["model"]["calls"] == shown.calls == ({"answer": 1} if model else {})
    assert {entity["origin"] for entity in document["entities"]} == {"question"}
    assert document["strategy"]["parameters"]["without"] == ["ho"]


def test_hykge_without_paths_has_descriptions_alone(home: Path, case: Case) -> None:
    document = asked(home, case, "hykge", "without=path", model=False).document
    assert kinds(document) <= {"description"}
    assert document["chains"] == {"found": dict.fromkeys(sorted(CHAINS), 0), "kept": 0}
    assert "chains" not in document["timings"]


def test_hykge_without_descriptions_has_none(home: Path, case: Case) -> None:
    document = asked(home, case, "hykge", "without=description", model=False).document
    assert kinds(document) & CHAINS and "description" not in kinds(document)
    assert "descriptions" not in document["timings"]


def test_hykge_without_its_reranker_keeps_the_graph_s_order(
    home: Path, case: Case, cross_encoder: Path
) -> None:
    words = ("--set", f"reranker={cross_encoder}", "--set", "without=reranker")
    document = ask(home, case.question, "--strategy", "hykge", *words, **CROSS_ENCODER).document
    chains = [item for item in document["evidence"] if item["kind"] in CHAINS]
    assert chains and all(item["scores"].keys() == {"chain", "score"} for item in chains)
    assert all("rerank" not in item["scores"] for item in facts(document))
    order = [item["scores"]["chain"] for item in chains]
    assert order == sorted(order, reverse=True)


def test_hykge_without_fragments_compares_with_the_whole_question(home: Path, case: Case) -> None:
    whole = asked(home, case, "hykge", "without=fragments", model=False).document
    chains = [item for item in whole["evidence"] if item["kind"] in CHAINS]
    assert chains and {item["fragment"] for item in chains} == {case.question}
    small = asked(home, case, "hykge", "lc=4", "oc=1", model=False).document
    chains = [item for item in small["evidence"] if item["kind"] in CHAINS]
    assert all(len(item["fragment"]) < len(case.question) for item in chains)


def test_the_longest_chain_and_their_number_can_be_set(home: Path, case: Case) -> None:
    document = asked(home, case, "hykge", "k=2", "top_k=3", model=False).document
    chains = [item for item in document["evidence"] if item["kind"] in CHAINS]
    assert chains and all(len(item["hops"]) <= 2 for item in chains)
    assert len(facts(document)) <= 3
    three = asked(home, case, "hykge", "k=3", model=False).document
    found = [sum(one["chains"]["found"].values()) for one in (document, three)]
    assert found[0] < found[1]


def test_what_the_graph_does_not_know_is_answered_by_nobody(home: Path, case: Case) -> None:
    question = {"en": "What is flurbosis?", "zh": "什么是夫鲁波斯？"}[case.language]
    for strategy in ("auto", "kg-rank", "hykge", "graph-rag"):
        document = ask(home, question, "--strategy", strategy).document
        assert document["evidence"] == [] and document["sentences"] == []
        (remark,) = document["remarks"]
        assert "No entity of the graph" in remark or "没有在问题中识别出" in remark

"""What the Evidence view, the message and the step show of a record."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.phrases import ABSTENTION
from bot.documents import from_document, to_document
from bot.page.evidence import evidence_props
from bot.page.texts import _STAGES, message_text, stage_name, step_name, step_text
from bot.page.words import _WORDS, page_language, words_for
from bot.record import (
    Check,
    ModelUse,
    Safety,
    Sentence,
    Status,
)
from kg.asking import REPAIR
from kg.model import Candidate, ChainKind, LinkedEntity, Source
from tests.bot.history.samples import path_evidence, record, triple_evidence


def test_cited_items_come_first_by_number() -> None:
    cited = (triple_evidence("A", rank=3), path_evidence(1))
    props = evidence_props(record(cited=cited, unused=(triple_evidence("B", rank=2),)))
    assert [item["number"] for item in props["cited"]] == [1, 2]
    assert [item["text"] for item in props["unused"]] == ["Migraine is treated by B."]
    assert props["summary"] == "2 cited · 1 more found"
    assert props["graph"] == "Graph medical, version abc123"


def test_a_fact_carries_sources_references_and_identifiers() -> None:
    item = triple_evidence(
        "Sumatriptan", qualifiers=(("line", "first"),), references=("PMID:1", "odd:thing")
    )
    (shown,) = evidence_props(record(cited=(item,)))["cited"]
    (hop,) = shown["hops"]
    assert (hop["subject"]["label"], hop["relation"], hop["object"]["label"]) == (
        "Migraine",
        "is treated by",
        "Sumatriptan",
    )
    assert hop["references"] == [
        {"text": "PMID:1", "href": "https://pubmed.ncbi.nlm.nih.gov/1/"},
        {"text": "odd:thing", "href": None},
    ]
    assert [i["text"] for i in hop["subject"]["identifiers"]] == ["MESH:D008881", "DOID:6364"]
    assert hop["sources"][0]["title"] == "Graphcite starter graph"
    assert hop["sources"][0]["facts"] == ["version 1.0", "2026-11-30", "licence CC0-1.0"]
    assert hop["qualifiers"] == ["line: first"]
    assert shown["scores"] == ["similarity 0.70"]
    assert shown["marks"] == ["rank 1"]


@pytest.mark.parametrize(
    ("name", "value", "chinese"),
    [
        ("line", "first line", "治疗顺序：一线"),
        ("line", "add-on; second line", "治疗顺序：辅助；二线"),
        ("line", "after surgery", "治疗顺序：after surgery"),
        ("frequency", "very common", "频率：极常见"),
        ("frequency", "uncommon", "频率：偶见"),
        ("frequency", "Frequent (30–79%)", "频率：常见（30–79%）"),
        ("frequency", "Excluded (0%)", "频率：未见（0%）"),
        ("frequency", "16/21; 30/53", "频率：16/21；30/53"),
        ("frequency", "now and then", "频率：now and then"),
        ("population", "children", "人群：儿童"),
        ("evidence", "published clinical study", "证据类型：已发表的临床研究"),
        ("onset", "Childhood onset", "起病：儿童期"),
        ("sex", "female", "性别：女"),
        ("dose", "5 mg", "dose：5 mg"),
    ],
)
def test_qualifiers_speak_the_language_of_the_answer(name: str, value: str, chinese: str) -> None:
    item = triple_evidence("Sumatriptan", qualifiers=((name, value),))
    shown = evidence_props(record(cited=(item,), language="zh"))["cited"][0]
    assert shown["hops"][0]["qualifiers"] == [chinese]
    assert shown["scores"] == ["语义相似度 0.70"]
    shown = evidence_props(record(cited=(item,)))["cited"][0]
    assert shown["hops"][0]["qualifiers"] == [f"{name}: {value}"]


def test_a_date_that_is_the_version_is_told_once() -> None:
    source = Source("hpo", "Human Phenotype Ontology", "2025-01-16", None, "2025-01-16")
    item = triple_evidence("Sumatriptan")
    (hop,) = item.hops
    item = replace(item, hops=(replace(hop, triple=replace(hop.triple, sources=(source,))),))
    (shown,) = evidence_props(record(cited=(item,)))["cited"]
    assert shown["hops"][0]["sources"][0]["facts"] == ["version 2025-01-16"]


def test_a_path_keeps_the_direction_of_each_hop() -> None:
    (shown,) = evidence_props(record(cited=(path_evidence(),)))["cited"]
    assert [hop["forward"] for hop in shown["hops"]] == [True, False]
    assert shown["marks"] == ["path", "rank 1"]


@pytest.mark.parametrize(
    ("language", "marks", "scores"),
    [
        (
            "en",
            ["path", "from the hypothesis", "rank 1", "fits “chest pain” best"],
            ["chain 0.40", "best fragment 0.62", "re-ranker 0.91"],
        ),
        (
            "zh",
            ["路径", "来自假设", "第 1 位", "最符合“chest pain”"],
            ["关系链初评 0.40", "最佳片段 0.62", "重排得分 0.91"],
        ),
    ],
)
def test_a_chain_tells_its_origin_its_fragment_and_every_score(
    language: str, marks: list[str], scores: list[str]
) -> None:
    item = replace(
        path_evidence(),
        origin="hypothesis",
        fragment="chest\u202e pain\n",
        scores={"chain": 0.4, "fragment": 0.62, "rerank": 0.91},
    )
    (shown,) = evidence_props(record(cited=(item,), language=language))["cited"]
    assert shown["marks"] == marks
    assert shown["scores"] == scores


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_step_tells_chains_drafts_and_calls(language: str) -> None:
    answer = record(cited=(path_evidence(), triple_evidence("A", rank=2)), language=language)
    retrieval = replace(
        answer.retrieval,
        hypothesis="It may be *angina*:\n\n- see dbo:heart\u200b.",
        notes={"notes": "Evidence 1 says so."},
        chains_found={"path": 12, "co-ancestor": 1503, "co-occurrence": 0},
        chains_kept=1,
        entities=(
            *answer.retrieval.entities,
            replace(answer.retrieval.entities[0], origin="hypothesis"),
        ),
    )
    use = ModelUse("gpt:x", {"hypothesis": 1, "notes": 1, "answer": 2}, 1234)
    text = step_text(replace(answer, retrieval=retrieval, model=use))
    expected = {
        "en": (
            "hypothesis\\: 38 characters, unverified; 1 name from it · reading notes\\: 19",
            "path\\: 12 found, 1 kept · common ancestor\\: 1,503 found, 0 kept · "
            "common neighbour\\: 0 found, 0 kept",
            "(exact, from the hypothesis, 1.00)",
            "gpt\\:x · 4 calls (hypothesis 1, notes 1, answer 2) · 1,234 tokens",
        ),
        "zh": (
            "假设答案：38 个字符，未经核实；从中得到 1 个名称 · 阅读笔记：19 个字符",
            "路径：找到 12 条，保留 1 条 · 共同上位：找到 1,503 条，保留 0 条 · "
            "共同邻居：找到 0 条，保留 0 条",
            "来自假设, 1.00)",
            "gpt\\:x · 调用 4 次 (假设 1, 笔记 1, 回答 2) · 1,234 个词元",
        ),
    }
    for line in expected[language]:
        assert line in text, text
    # What a model wrote stands below the line that calls it unverified, letter by letter.
    drafts = text[text.index(words_for(language)["drafts"]) :].splitlines()[1:4]
    assert drafts == [
        r"  - It may be \*angina\*\:",
        r"  - \- see dbo\:heart.",
        "  - Evidence 1 says so.",
    ]
    assert not any(word in step_text(answer) for word in ("unverified", "未经核实", "Chains"))


def test_chains_alone_are_told_as_chains() -> None:
    joined = replace(triple_evidence("A"), scores={"chain": 0.5, "score": 0.5})
    told = replace(triple_evidence("B", rank=3), kind="description")
    answer = record(cited=(joined, path_evidence(2), told))
    found: dict[ChainKind, int] = {"path": 1200, "co-ancestor": 1}
    retrieval = replace(answer.retrieval, triples_found=0, chains_found=found)
    answer = replace(answer, retrieval=retrieval)
    assert step_name(answer).startswith("How this was found · 1 name · 1,201 chains · ")
    text = step_text(answer)
    assert r"**Chains** path\: 1,200 found, 2 kept · common ancestor\: 1 found, 0 kept" in text
    assert "**Descriptions** 1 kept as evidence" in text
    assert "**Facts looked at**" not in text
    nothing = replace(answer, retrieval=replace(retrieval, chains_found={"path": 0}), evidence=())
    assert "**Facts looked at** 0 found, 0 kept as evidence" in step_text(nothing)
    assert "**Chains**" not in step_text(nothing)


def test_stages_that_took_no_time_are_left_out() -> None:
    answer = record()
    timings = {"hypothesis": 0.02, "mentions": 0.6, "model": 2_000.0}
    answer = replace(answer, retrieval=replace(answer.retrieval, timings=timings), timings={})
    assert "**Time** names 1 ms · model before the answer 2.0 s" in step_text(answer)


def test_a_draft_without_end_is_cut() -> None:
    answer = record()
    long = replace(answer.retrieval, hypothesis="word " * 10_000)
    text = step_text(replace(answer, retrieval=long))
    assert len(text) < 4_000 and "word…" in text


@pytest.mark.parametrize(
    ("use", "line"),
    [
        (ModelUse("m", {"answer": 1}, 0), "m · 1 call (answer 1) · 0 tokens"),
        (
            ModelUse(None, {"hypothesis": 1}, 30),
            "answer composed without one · 1 call (hypothesis 1) · 30 tokens",
        ),
        (ModelUse("m"), "m"),
    ],
)
def test_the_step_tells_what_was_asked_of_a_model(use: ModelUse, line: str) -> None:
    assert step_text(replace(record(), model=use)).endswith(f"**Model** {line}")
    assert "**Model**" not in step_text(record())


def names_given_to(*methods: str) -> set[str]:
    """The names that the sources give to methods first: `run.stage("chains")`."""
    root = Path(__file__).parents[3]
    files = [*sorted((root / "kg").rglob("*.py")), *sorted((root / "bot").rglob("*.py"))]
    found = set()
    for node in (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if node.func.attr in methods and isinstance(first, ast.Constant):
                found.add(str(first.value))
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_stage_of_every_strategy_has_words(language: str) -> None:
    words, stages = words_for(language), names_given_to("stage", "on_stage")
    assert {"mentions", "chains", "hypothesis", "correction", "answer", "check"} <= stages
    assert len({stage_name(stage, language) for stage in stages}) == len(stages)
    timed = stages | {"loading encoder", "loading re-ranker", "model"}
    for stage in timed:
        assert words[f"time_{stage}"] and stage in _STAGES
    assert set(_STAGES) == timed


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_call_of_a_model_has_words(language: str) -> None:
    jobs = {job for job in names_given_to("write", "names") if job in known_prompts()}
    assert {"hypothesis", "ner", "knowledge-correction", "rewriting"} <= jobs
    for job in jobs | {REPAIR, "answer"}:
        assert words_for(language)[f"call_{job}"]


def known_prompts() -> set[str]:
    return {file.stem for file in (Path(__file__).parents[3] / "prompts" / "en").glob("*.md")}


def test_unbacked_sentences_are_listed_with_their_reasons() -> None:
    sentences = (
        Sentence("Fine.", (1,), "supported", (Check(1, "supported"),)),
        Sentence("Wrong.", (1,), "unsupported", (Check(1, "unsupported", "It says otherwise."),)),
        Sentence("Bare.", (), "uncited"),
    )
    checks = evidence_props(record(sentences=sentences))["checks"]
    assert [(check["text"], check["label"]) for check in checks] == [
        ("Wrong.", "not backed"),
        ("Bare.", "no citation"),
    ]
    assert checks[0]["reasons"] == [{"number": 1, "reason": "It says otherwise."}]


def test_notes_stand_apart_most_pressing_first() -> None:
    answer = record(problems=("no encoder",), notices=("notice",), remarks=("remark",))
    answer = replace(answer, retrieval=replace(answer.retrieval, complete=False))
    notes = [(note["kind"], note["text"]) for note in evidence_props(answer)["notes"]]
    assert notes == [
        ("warning", "no encoder"),
        ("warning", words_for("en")["incomplete"]),
        ("note", "remark"),
        ("note", "notice"),
    ]


def test_the_message_of_each_kind_of_end() -> None:
    assert message_text(record(answer="a:b [1]")) == "a\\:b\u00a0[1]"
    nothing = record(answer="", remarks=("Nothing is known:none.",))
    assert message_text(nothing) == r"Nothing is known\:none."
    assert evidence_props(nothing)["notes"] == []
    stopped = replace(record(answer="Half"), status="stopped")
    assert message_text(stopped) == f"Half\n\n*{words_for('en')['stopped']}*"
    cut = replace(record(answer="一半", language="zh"), status="cut off")
    assert message_text(cut) == f"一半\n\n*{words_for('zh')['cut off']}*"
    failed = replace(record(answer="", problems=("No graph: import one.",)), status="failed")
    assert message_text(failed) == r"No graph\: import one."
    assert evidence_props(failed)["notes"] == []
    silent = replace(record(answer=""), status="failed")
    assert message_text(silent) == words_for("en")["failed"]
    urgent = record(answer="x", safety=Safety("Call\n112: now", "emergency"))
    assert message_text(urgent) == "::: caution\nCall 112\\: now\n:::\n\nx"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_abstention_says_in_the_message_what_it_can_say(language: str) -> None:
    remarks = ("Nothing about *x*\\: none.", "Nearest: y.")
    answer = record(answer=ABSTENTION[language], remarks=remarks, cited=(), language=language)
    assert message_text(answer).split("\n\n") == [ABSTENTION[language], *remarks]
    assert evidence_props(answer)["notes"] == []


def test_remarks_beside_an_answer_are_told_letter_by_letter() -> None:
    answer = record(remarks=(r"Nothing about 5\*x\_y.",))
    assert evidence_props(answer)["notes"] == [{"kind": "note", "text": "Nothing about 5*x_y."}]


def test_cautions_stand_in_a_box_below_the_answer_whatever_its_end() -> None:
    box = "::: warning\nNot for children\\: ask.\n:::"
    for answer in ("Claims [1].", ABSTENTION["en"], ""):
        made = record(answer=answer, cautions=("Not for children: ask.",), remarks=("Why.",))
        assert message_text(made).endswith(f"\n\n{box}")
        assert message_text(replace(made, status="stopped")).endswith(f"\n\n{box}")
        assert message_text(replace(made, status="failed")).endswith(f"\n\n{box}")
    two = message_text(record(answer="x", cautions=("a [1]", r"b \& c")))
    assert two == "x\n\n::: warning\n• a \\[1\\]\n• b \\& c\n:::"


@pytest.mark.parametrize("status", ["complete", "stopped", "failed", "cut off"])
@pytest.mark.parametrize("text", ["", "Claims [1]."])
def test_a_stored_record_is_shown_as_the_fresh_one(status: Status, text: str) -> None:
    fresh = record(answer=text, problems=("no encoder", "no graph"), remarks=("remark",))
    fresh = replace(fresh, status=status, cautions=("caution", "another"))
    stored = from_document(json.loads(json.dumps(to_document(fresh))))
    assert message_text(stored) == message_text(fresh)
    assert evidence_props(stored) == evidence_props(fresh)
    assert (step_name(stored), step_text(stored)) == (step_name(fresh), step_text(fresh))


def test_the_step_tells_the_way() -> None:
    answer = record(unused=(triple_evidence("B", rank=2),))
    linked = LinkedEntity(
        "migrane",
        "https://graphcite.example/migraine",
        "Migraine",
        0.9,
        "fuzzy",
        candidates=(
            Candidate("https://graphcite.example/migraine", "Migraine", 0.9, "fuzzy"),
            Candidate("https://graphcite.example/m2", "Migraine, with:aura", 0.8, "fuzzy"),
        ),
    )
    answer = replace(
        answer,
        retrieval=replace(answer.retrieval, entities=(linked,)),
        model=ModelUse("gpt:x"),
    )
    text = step_text(answer)
    assert "migrane → **Migraine** (similar name, 0.90)" in text
    assert r"could also be Migraine, with\:aura (0.80)" in text
    assert "2 found, 2 kept as evidence" in text
    assert "names 1 ms · matching 2 ms" in text
    assert r"gpt\:x" in text
    assert step_name(answer) == "How this was found · 1 name · 2 facts · 12 ms"
    nothing = replace(answer, retrieval=replace(answer.retrieval, entities=()))
    assert words_for("en")["nothing_linked"] in step_text(nothing)
    assert step_name(nothing).startswith("How this was found · 0 names")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stage_without_words_is_shown_all_the_same(language: str) -> None:
    assert stage_name("unheard of", language) == words_for(language)["stage_mentions"]


def test_both_languages_have_the_same_words() -> None:
    assert _WORDS["en"].keys() == _WORDS["zh"].keys()
    assert words_for("fr") == words_for("en")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("zh-CN,zh;q=0.9", "zh"), ("zh", "zh"), ("en-US,zh;q=0.5", "en"), ("", "en"), (None, "en")],
)
def test_the_pages_language(accepted: str | None, language: str) -> None:
    assert page_language(accepted) == language

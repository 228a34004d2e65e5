"""A whole turn, over a real graph and a real history file, without a chat model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering.phrases import ABSTENTION
from bot.conversation import LONGEST_QUESTION, Listener, Turn, take_turn
from bot.documents import to_document
from bot.history.turns import one_turn
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.errors import BadInput, KgError, NotFound
from kg.sources import import_source

GRAPH = """
@prefix e: <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
e:treats rdfs:label "treats"@en , "用于治疗"@zh .
e:has_symptom rdfs:label "has symptom"@en , "症状"@zh .
e:migraine rdfs:label "migraine"@en , "偏头痛"@zh ;
    dcterms:description "A headache disorder."@en , "一种头痛。"@zh ;
    e:has_symptom e:nausea {| dcterms:references "PMID:2" |} .
e:nausea rdfs:label "nausea"@en , "恶心"@zh .
e:sumatriptan rdfs:label "sumatriptan"@en , "舒马普坦"@zh ;
    e:treats e:migraine {| dcterms:references "PMID:1" |} .
e:asthma rdfs:label "asthma"@en , "哮喘"@zh .
e:salbutamol rdfs:label "salbutamol"@en , "沙丁胺醇"@zh ; e:treats e:asthma .
e:lonely rdfs:label "Lonely disease"@en .
"""


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    file = tmp_path / "graph.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    settings = load_settings(
        {"GRAPHCITE_HOME": str(tmp_path / "home"), "GRAPHCITE_ENCODER": "none"}
    )
    import_source(settings.graphs / "medical", "rdf", [file], "small")
    parts = Runtime(settings)
    yield parts
    parts.close()


class Chat(Listener):
    """One conversation, asked turn by turn."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.id = runtime.history.create_conversation("local", "test", "medical")
        self.turns = 0
        self.text = ""
        self.stages: list[str] = []
        self.advice: list[str] = []

    def turn(self, question: str, **changes: object) -> Turn:
        self.turns += 1
        n = self.turns
        turn = Turn(question, self.id, message_id=f"message-{n}", answer_id=f"answer-{n}")
        return replace(turn, **changes)  # type: ignore[arg-type]

    async def take(self, turn: Turn) -> AnswerRecord:
        self.text = ""
        return await take_turn(self.runtime, turn, self)

    async def on_text(self, piece: str) -> None:
        self.text += piece

    async def on_stage(self, stage: str) -> None:
        self.stages.append(stage)

    async def on_advice(self, advice: str) -> None:
        self.advice.append(advice)

    async def on_restart(self) -> None:
        self.text = ""

    def ask(self, question: str, **changes: object) -> AnswerRecord:
        return asyncio.run(self.take(self.turn(question, **changes)))

    def stored(self) -> list[AnswerRecord]:
        conversation = self.runtime.history.conversation(self.id, "local")
        assert conversation is not None
        return [answer.record for turn in conversation.turns for answer in turn.answers]


@pytest.fixture
def chat(runtime: Runtime) -> Chat:
    return Chat(runtime)


def test_every_sentence_cites_evidence_and_is_supported(chat: Chat) -> None:
    record = chat.ask("What are the treatments for migraine?")
    assert "umatriptan" in record.answer and "[1]" in record.answer
    assert record.sentences
    numbers = {item.number for item in record.evidence if item.number}
    for sentence in record.sentences:
        assert sentence.verdict == "supported"
        assert sentence.citations and set(sentence.citations) <= numbers
    assert record.citation_recall == record.citation_precision == 1.0
    cited = next(item for item in record.evidence if item.number == 1)
    assert cited.evidence.hops[0].triple.references == ("PMID:1",)
    assert chat.text == record.answer
    stages = ["mentions", "linking", "retrieval", "chains", "ranking", "answer", "check"]
    assert chat.stages[-7:] == stages


def test_a_chinese_question_is_answered_in_chinese(chat: Chat) -> None:
    record = chat.ask("偏头痛怎么治疗？")
    assert record.retrieval.language == "zh"
    assert "舒马普坦" in record.answer and record.answer.rstrip().endswith("[1]。")
    assert record.citation_recall == 1.0


def test_the_record_is_stored_as_it_was_given(chat: Chat) -> None:
    record = chat.ask("What are the treatments for migraine?")
    (stored,) = chat.stored()
    assert to_document(stored) == to_document(record)


def test_numbers_stay_with_their_evidence_through_the_conversation(chat: Chat) -> None:
    first = chat.ask("What are the treatments for migraine?")
    second = chat.ask("What are the symptoms of migraine?")
    third = chat.ask("And how is it treated?")
    number = {i.evidence.key: i.number for i in first.evidence if i.number}
    assert {i.evidence.key: i.number for i in third.evidence if i.number} == number
    others = [i.number for i in second.evidence if i.number]
    assert others and not set(others) & set(number.values())
    assert min(others) == max(number.values()) + 1


def test_a_follow_up_keeps_what_it_is_about(chat: Chat) -> None:
    chat.ask("What are the treatments for migraine?")
    record = chat.ask("And its symptoms?")
    assert [e.how for e in record.retrieval.entities] == ["carried"]
    assert "nausea" in record.answer
    assert record.standalone_question == "And its symptoms? (migraine)"
    assert any("migraine" in notice for notice in record.notices)
    chat.ask("And how is it treated?")
    topic = chat.ask("What about asthma?")
    assert "albutamol" in topic.answer and "umatriptan" not in topic.answer


def test_nothing_found_is_an_abstention(chat: Chat) -> None:
    for question in ("How do I file taxes?", "How is Lonely disease treated?"):
        record = chat.ask(question)
        assert record.answer == ABSTENTION["en"]
        assert record.sentences == () and record.citation_recall is None
        assert record.remarks
        assert all(item.number is None for item in record.evidence)


def test_a_misspelt_name_is_said(chat: Chat) -> None:
    record = chat.ask("How is migrane treated?")
    assert [e.how for e in record.retrieval.entities] == ["fuzzy"]
    assert "“migrane” was taken to mean migraine." in record.notices


def test_the_medical_notice_is_always_there(chat: Chat) -> None:
    assert "not a medical device" in " ".join(chat.ask("What is migraine?").notices)
    assert "医疗" in " ".join(chat.ask("偏头痛是什么？").notices)


def test_an_emergency_is_told_before_anything_is_tried(chat: Chat) -> None:
    question = "I have crushing chest pain and can't breathe, what should I do?"
    record = chat.ask(question)
    assert record.safety.kind == "emergency" and chat.advice == [record.safety.advice]
    with pytest.raises(KgError):
        chat.ask(question, mode="open")
    assert len(chat.advice) == 2


def test_an_empty_question_is_refused_and_leaves_nothing(chat: Chat) -> None:
    for question in ("", "   \n", "\u200b"):
        with pytest.raises(BadInput, match="empty"):
            chat.ask(question)
    assert chat.stored() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question": "why " * 5000}, "20,000 characters"),
        ({"mode": "open"}, "not set up yet"),
        ({"strategy": "magic"}, "no strategy"),
        ({"parameters": {"top": "many"}}, "whole number"),
        ({"sources": ("nowhere",)}, "nowhere"),
    ],
)
def test_what_cannot_be_answered_is_told_and_kept(
    chat: Chat, changes: dict[str, object], message: str
) -> None:
    turn = replace(chat.turn("What is migraine?"), **changes)  # type: ignore[arg-type]
    with pytest.raises(KgError) as caught:
        asyncio.run(chat.take(turn))
    assert message in caught.value.user_message and "\n" not in caught.value.user_message
    (stored,) = chat.stored()
    assert stored.status == "failed" and stored.question == turn.question
    assert caught.value.user_message in to_document(stored)["problems"]
    assert "umatriptan" in chat.ask("How is migraine treated?").answer
    assert LONGEST_QUESTION == 4000


def test_without_a_graph_the_way_to_one_is_told(tmp_path: Path) -> None:
    runtime = Runtime(load_settings({"GRAPHCITE_HOME": str(tmp_path), "GRAPHCITE_ENCODER": "none"}))
    try:
        with pytest.raises(NotFound, match="graphcite kg import starter"):
            asyncio.run(take_turn(runtime, Turn("What is migraine?")))
    finally:
        runtime.close()


def test_stopping_keeps_what_was_shown(runtime: Runtime) -> None:
    chat = Chat(runtime)
    shown: list[str] = []

    class Stops(Listener):
        async def on_text(self, piece: str) -> None:
            shown.append(piece)
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)

    async def stop_in_the_answer() -> None:
        turn = chat.turn("What is migraine? What are its treatments and symptoms?")
        task = asyncio.create_task(take_turn(runtime, turn, Stops()))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stop_in_the_answer())
    (stored,) = chat.stored()
    assert stored.status == "stopped"
    assert shown and stored.answer == "".join(shown)


def test_a_turn_that_keeps_nothing(runtime: Runtime) -> None:
    record = asyncio.run(take_turn(runtime, Turn("What are the treatments for migraine?")))
    assert record.conversation is None and "umatriptan" in record.answer
    assert runtime.history.list("local").conversations == ()


def test_sources_restrict_the_evidence(chat: Chat, tmp_path: Path) -> None:
    other = tmp_path / "other.ttl"
    other.write_text(GRAPH.replace("sumatriptan", "rizatriptan"), encoding="utf-8")
    import_source(chat.runtime.settings.graphs / "medical", "rdf", [other], "other")
    both = chat.ask("What are the treatments for migraine?")
    assert "umatriptan" in both.answer and "izatriptan" in both.answer  # the new generation
    one = chat.ask("What are the treatments for migraine?", sources=("other",))
    assert "umatriptan" not in one.answer and "izatriptan" in one.answer


def test_an_encoder_that_cannot_be_loaded_is_a_warning(tmp_path: Path, chat: Chat) -> None:
    settings = replace(chat.runtime.settings, encoder=str(tmp_path), offline=True)
    runtime = Runtime(settings)
    try:
        record = asyncio.run(take_turn(runtime, Turn("How is migraine treated?")))
    finally:
        runtime.close()
    assert "umatriptan" in record.answer
    assert "cannot be loaded" in " ".join(record.problems)
    assert record.retrieval.parameters["encoder"] == "lexical"


def test_two_turns_at_once_never_share_a_number(runtime: Runtime) -> None:
    chat = Chat(runtime)
    questions = ("What are the treatments for migraine?", "What are the symptoms of migraine?")

    async def together() -> list[AnswerRecord]:
        turns = [chat.turn(question) for question in questions]
        return await asyncio.gather(*(take_turn(runtime, turn) for turn in turns))

    one, other = asyncio.run(together())
    numbers = [{i.evidence.key: i.number for i in r.evidence if i.number} for r in (one, other)]
    assert numbers[0] and numbers[1]
    assert not set(numbers[0].values()) & set(numbers[1].values())
    stored = runtime.history.numbers(chat.id)
    assert len(set(stored.values())) == len(stored) == len({**numbers[0], **numbers[1]})


def test_stopping_a_turn_that_waits_ends_the_wait(runtime: Runtime) -> None:
    chat = Chat(runtime)

    async def stopped() -> None:
        async with one_turn(runtime.settings.home, chat.id):
            task = asyncio.create_task(take_turn(runtime, chat.turn("What is migraine?")))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(stopped())
    assert "headache disorder" in chat.ask("What is migraine?").answer


def test_a_question_with_broken_letters_is_read_all_the_same(chat: Chat) -> None:
    record = chat.ask("What is migraine\udcff?")
    assert record.question == "What is migraine??" and "headache disorder" in record.answer


def test_an_unforeseen_fault_leaves_a_record_and_no_details(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("bot.writing.compose", broken)
    with pytest.raises(RuntimeError):
        chat.ask("What is migraine?")
    (stored,) = chat.stored()
    assert stored.status == "failed" and stored.evidence
    assert "Something went wrong" in " ".join(stored.retrieval.problems)
    assert "secret" not in str(to_document(stored))

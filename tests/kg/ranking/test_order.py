"""The order of triples: stages, aspects, direction, frequency, re-rankers, ties."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.deadline import Deadline
from kg.model import LinkedEntity, Triple
from kg.ranking.bonus import ASPECT_WEIGHT
from kg.ranking.order import Question, Ranked, Ranker, rank_triples, triple_text
from tests.fake_graph import entity, fact
from tests.kg.ranking.fakes import Broken, FakeReranker, First, Flat, Tabled, long, past

MIGRAINE = entity("Migraine")
TREATS = fact(entity("Sumatriptan"), "treats", MIGRAINE)
SYMPTOM = fact(MIGRAINE, "has symptom", entity("Nausea"))
OF_OTHER = fact(entity("MELAS"), "has symptom", MIGRAINE)
WORDS = Ranker(deadline=long())
FLAT = Ranker(deadline=long(), encoder=Flat())


def texts(ranked: Ranked) -> list[str]:
    return [item.text for item in ranked.evidence]


def said(found: Ranked) -> dict[str, str]:
    """What the models that failed say."""
    return {job: error.user_message for job, error in found.failed.items()}


def ranked(question: Question, *triples: Triple) -> list[str]:
    return texts(rank_triples(question, triples, FLAT))


def about(*aspects: str) -> Question:
    return Question("anything", aspects, MIGRAINE.iri or "")


def things(count: int) -> list[Triple]:
    """Facts that differ in nothing but a number: their order is that of the number."""
    return [fact(MIGRAINE, "related to", entity(f"Thing {n:03}")) for n in range(count)]


def number(text: str) -> float:
    return int(text.split()[-1]) / 1000


def test_the_asked_aspect_comes_first() -> None:
    assert ranked(about("treatment"), SYMPTOM, TREATS)[0] == "Sumatriptan treats Migraine"
    assert ranked(about("symptom"), TREATS, SYMPTOM)[0] == "Migraine has symptom Nausea"


def test_the_expected_direction_comes_before_the_other() -> None:
    assert ranked(about("symptom"), OF_OTHER, SYMPTOM) == [
        "Migraine has symptom Nausea",
        "MELAS has symptom Migraine",
    ]


def test_aspects_never_filter() -> None:
    assert len(ranked(about("dose"), SYMPTOM, TREATS)) == 2


def test_similarity_decides_within_an_aspect() -> None:
    other = fact(MIGRAINE, "has symptom", entity("Aura"))
    for word in ("Nausea", "Aura"):
        ranker = replace(WORDS, encoder=First(word))
        best = rank_triples(about(), [SYMPTOM, other], ranker).evidence[0]
        assert word in best.text
        assert best.scores == {"lexical": best.scores["lexical"], "similarity": 1.0, "score": 1.0}


def test_more_frequent_facts_come_first_when_alike() -> None:
    rare = fact(MIGRAINE, "has symptom", entity("Aura"), frequency="1/50")
    often = fact(MIGRAINE, "has symptom", entity("Pallor"), frequency="45/50")
    assert ranked(about("symptom"), rare, often)[0] == triple_text(often)


def test_equal_scores_are_ordered_by_text() -> None:
    b = fact(MIGRAINE, "has symptom", entity("B"))
    a = fact(MIGRAINE, "has symptom", entity("A"))
    assert ranked(about(), b, a) == ranked(about(), a, b)


def test_a_hub_is_cut_before_it_is_encoded_and_keeps_the_asked_aspect() -> None:
    encoder = Flat()
    ranker = replace(WORDS, encoder=encoder, keep=50)
    best = rank_triples(about("treatment"), [*things(500), TREATS], ranker).evidence
    assert len(encoder.encoded) == 51  # the question and 50 triples
    assert len(best) == 20
    assert best[0].text == "Sumatriptan treats Migraine"
    assert best[0].scores["score"] >= 1.0 + ASPECT_WEIGHT - 1e-6


def test_without_an_encoder_shared_words_decide() -> None:
    question = Question("偏头痛怎么治疗", (), "")
    zh = entity("偏头痛")
    triples = [fact(zh, "症状", entity("恶心")), fact(entity("舒马普坦"), "用于治疗", zh)]
    best = rank_triples(question, triples, replace(WORDS, top=1)).evidence
    assert [item.text for item in best] == ["舒马普坦 用于治疗 偏头痛"]
    assert set(best[0].scores) == {"lexical", "score"}


@pytest.mark.parametrize("mode", ["similarity", "expansion", "mmr"])
def test_no_triples_give_no_evidence(mode: str) -> None:
    ranker = replace(FLAT, mode=mode, reranker=FakeReranker(lambda q, t: 1.0))  # type: ignore[arg-type]
    assert rank_triples(about(), [], ranker) == Ranked((), 0, 0)
    assert rank_triples(about(), [], WORDS) == Ranked((), 0, 0)


@pytest.mark.parametrize("encoder", [None, Tabled(anything=(0, 1), Nausea=(1, 0), treats=(0, 1))])
def test_expansion_compares_with_question_and_draft_together(encoder: Tabled | None) -> None:
    draft = "Nausea is what anyone would expect."
    plain = replace(WORDS, encoder=encoder)
    expansion = replace(plain, mode="expansion", draft=draft)
    if encoder:
        encoder.vectors = {"Nausea": (1, 0), "anything": (0, 1), "treats": (0, 1)}
    best = rank_triples(about(), [TREATS, SYMPTOM], expansion).evidence
    assert best[0].text == "Migraine has symptom Nausea"
    assert set(best[0].scores) == {"lexical", "expansion", "score"}
    if encoder:
        assert "anything\nNausea is what anyone would expect." in encoder.encoded
        assert best[0].scores["expansion"] == 1.0


@pytest.mark.parametrize("encoder", [None, Flat()])
def test_expansion_without_a_draft_is_similarity(encoder: Flat | None) -> None:
    ranker = replace(WORDS, encoder=encoder)
    expansion = rank_triples(about(), [TREATS, SYMPTOM], replace(ranker, mode="expansion"))
    similarity = rank_triples(about(), [TREATS, SYMPTOM], ranker)
    assert expansion == similarity
    assert "expansion" not in expansion.evidence[0].scores


def test_mmr_takes_what_is_unlike_the_rest_and_counts_the_aspect() -> None:
    encoder = Tabled(anything=(1, 1), Nausea=(1, 0.4), Vomiting=(1, 0.39), treats=(0.3, 1))
    vomiting = fact(MIGRAINE, "has symptom", entity("Vomiting"))
    facts = [TREATS, vomiting, SYMPTOM]
    ranker = replace(WORDS, encoder=encoder)
    found = rank_triples(about(), facts, replace(ranker, mode="mmr"))
    assert [text.split()[-1] for text in texts(rank_triples(about(), facts, ranker))] == [
        "Nausea", "Vomiting", "Migraine",
    ]  # fmt: skip
    assert [text.split()[-1] for text in texts(found)] == ["Nausea", "Migraine", "Vomiting"]
    for item in found.evidence:
        assert set(item.scores) == {"lexical", "similarity", "mmr", "score"}
        assert item.scores["score"] == item.scores["mmr"]
    asked = rank_triples(about("symptom"), facts, replace(ranker, mode="mmr"))
    assert [text.split()[-1] for text in texts(asked)] == ["Nausea", "Vomiting", "Migraine"]


def test_mmr_in_chinese_without_a_model() -> None:
    zh = entity("偏头痛")
    facts = [fact(zh, "临床症状", entity(f"恶心呕吐{n}")) for n in "甲乙丙"]
    facts.append(fact(entity("舒马普坦"), "用于治疗", zh))
    question = Question("偏头痛呕吐用什么", (), "")
    assert texts(rank_triples(question, facts, WORDS))[3] == "舒马普坦 用于治疗 偏头痛"
    found = rank_triples(question, facts, replace(WORDS, mode="mmr", top=2))
    assert texts(found)[1] == "舒马普坦 用于治疗 偏头痛"
    assert set(found.evidence[0].scores) == {"lexical", "mmr", "score"}


def test_a_reranker_decides_over_what_was_kept() -> None:
    reranker = FakeReranker(lambda query, text: number(text))
    ranker = replace(FLAT, reranker=reranker, keep=30, top=5)
    found = rank_triples(about(), things(200), ranker)
    assert (found.reranked, found.asked) == (30, 30)
    assert [number(text) for text in texts(found)] == [0.029, 0.028, 0.027, 0.026, 0.025]
    best = found.evidence[0].scores
    assert set(best) == {"lexical", "similarity", "rerank", "score"}
    assert best["rerank"] == best["score"] == pytest.approx(0.029)
    assert {query for query, _ in reranker.read} == {"anything"}


def test_equal_scores_of_a_reranker_keep_the_order_before() -> None:
    ranker = replace(FLAT, reranker=FakeReranker(lambda query, text: 0.5))
    assert texts(rank_triples(about(), things(9), ranker)) == texts(
        rank_triples(about(), things(9), FLAT)
    )


def test_what_a_reranker_had_no_time_for_keeps_its_order_behind() -> None:
    reranker = FakeReranker(lambda query, text: number(text), limit=24)
    found = rank_triples(about(), things(40), replace(FLAT, reranker=reranker, top=40))
    assert (found.reranked, found.asked) == (24, 40)
    assert [number(t) * 1000 for t in texts(found)] == [*reversed(range(24)), *range(24, 40)]
    assert ["rerank" in item.scores for item in found.evidence] == [True] * 24 + [False] * 16


def test_twenty_are_reranked_though_the_time_is_over() -> None:
    reranker = FakeReranker(lambda query, text: number(text))
    found = rank_triples(about(), things(40), replace(FLAT, reranker=reranker, deadline=past()))
    assert (found.reranked, found.asked) == (20, 40)
    assert [len(call) for call in reranker.calls] == [20]


def test_a_stopped_question_is_not_reranked() -> None:
    stopped = Deadline.after(600, stopped=lambda: True)
    reranker = FakeReranker(lambda query, text: number(text))
    found = rank_triples(about(), things(40), replace(FLAT, reranker=reranker, deadline=stopped))
    assert (found.reranked, found.asked) == (0, 40)
    assert reranker.read == []
    assert texts(found) == texts(rank_triples(about(), things(40), FLAT))


def test_without_a_reranker_that_does_not_answer_the_order_stays() -> None:
    plain = rank_triples(about(), things(30), FLAT)
    for deadline, fails_at in ((long(), 0), (past(), 0)):
        reranker = FakeReranker(lambda q, t: 1.0, fails_at=fails_at)
        ranker = replace(FLAT, reranker=reranker, deadline=deadline)
        found = rank_triples(about(), things(30), ranker)
        assert found.evidence == plain.evidence
        assert (found.reranked, found.asked) == (0, 30)
        assert said(found) == {"re-ranker": "The re-ranker does not answer."}


@pytest.mark.parametrize("mode", ["similarity", "expansion", "mmr"])
def test_without_an_encoder_that_does_not_answer_shared_words_decide(mode: str) -> None:
    ranker = replace(WORDS, mode=mode)  # type: ignore[arg-type]
    found = rank_triples(about(), [TREATS, SYMPTOM], replace(ranker, encoder=Broken()))
    assert found.evidence == rank_triples(about(), [TREATS, SYMPTOM], ranker).evidence
    assert said(found) == {"encoder": "The encoder is away."}


def test_a_reranker_that_fails_later_keeps_what_it_scored() -> None:
    reranker = FakeReranker(lambda query, text: number(text), at_once=7, fails_at=1)
    found = rank_triples(about(), things(40), replace(FLAT, reranker=reranker))
    assert (found.reranked, found.asked, list(found.failed)) == (7, 40, ["re-ranker"])
    assert [number(t) * 1000 for t in texts(found)[:8]] == [6, 5, 4, 3, 2, 1, 0, 7]


@pytest.mark.parametrize("encoder", [None, Flat()])
def test_in_mmr_the_scores_of_a_reranker_stand_in_for_the_likeness(encoder: Flat | None) -> None:
    reranker = FakeReranker(lambda query, text: number(text), limit=25)
    ranker = replace(WORDS, mode="mmr", encoder=encoder, reranker=reranker, top=30)
    found = rank_triples(about(), things(40), ranker)
    scored = [item for item in found.evidence if "rerank" in item.scores]
    assert len(scored) == 25 and found.evidence[:25] == tuple(scored)
    assert scored[0].scores["mmr"] == scored[0].scores["rerank"] == pytest.approx(0.024)
    assert scored[0].scores["score"] == scored[0].scores["mmr"]
    assert all("mmr" not in item.scores for item in found.evidence[25:])
    if encoder:  # all alike: the re-ranker alone decides
        assert [number(i.text) * 1000 for i in scored] == list(range(24, -1, -1))


@pytest.mark.parametrize("mode", ["similarity", "mmr"])
def test_what_an_encoder_had_no_time_for_stays_behind(mode: str) -> None:
    encoder = Tabled(**{"anything": (1, 0), "099": (1, 0), "Thing": (0, 1)})
    ranker = replace(WORDS, mode=mode, encoder=encoder, encoder_deadline=past(), top=99)  # type: ignore[arg-type]
    found = rank_triples(about(), things(100), ranker)
    assert not found.complete
    assert len(encoder.encoded) == 64  # one batch, whatever the time: the question and 63 facts
    assert ["similarity" in item.scores for item in found.evidence] == [True] * 63 + [False] * 36
    assert [number(text) * 1000 for text in texts(found)[63:]] == list(range(63, 99))
    in_time = rank_triples(about(), things(100), replace(ranker, encoder_deadline=long()))
    assert in_time.complete
    assert number(texts(in_time)[0]) == 0.099


def test_a_reranker_reads_what_the_encoder_had_no_time_for_too() -> None:
    reranker = FakeReranker(lambda query, text: number(text))
    ranker = replace(FLAT, mode="mmr", reranker=reranker, encoder_deadline=past(), top=3)
    found = rank_triples(about(), things(100), ranker)
    assert (found.reranked, found.asked, found.complete) == (100, 100, False)
    assert number(texts(found)[0]) == 0.099


def test_a_question_that_names_the_entity_alone_ranks_by_what_facts_tell() -> None:
    alone = replace(about(), alone=True)
    code = fact(MIGRAINE, "code", "G43.9")
    ranker = replace(WORDS, encoder=First("code"))
    assert rank_triples(about(), [code, SYMPTOM, TREATS], ranker).evidence[0].text.endswith("G43.9")
    found = rank_triples(alone, [code, SYMPTOM, TREATS], ranker)
    assert found.evidence[-1].text.endswith("G43.9")
    assert set(found.evidence[0].scores) == {"salience", "score"}
    assert found.complete and found.evidence[0].scores["score"] == 1.0


def test_alone_or_not_a_draft_is_compared_with() -> None:
    drafted = replace(WORDS, mode="expansion", draft="nausea")
    found = rank_triples(replace(about(), alone=True), [TREATS, SYMPTOM], drafted)
    assert "Nausea" in found.evidence[0].text and "expansion" in found.evidence[0].scores


def test_of_several_names_alone_what_joins_them_comes_first() -> None:
    entities = tuple(
        LinkedEntity(one.label, one.iri or "", one.label, 1.0, "exact")
        for one in (MIGRAINE, entity("Nausea"))
    )
    alone = replace(about(), alone=True, entities=entities)
    said_first = [fact(MIGRAINE, "definition", "A headache."), TREATS, SYMPTOM]
    assert rank_triples(alone, said_first, WORDS).evidence[0].text == triple_text(SYMPTOM)


def test_what_is_said_of_the_people_asked_about_comes_first() -> None:
    first = fact(entity("Amlodipine"), "treats", MIGRAINE, line="first")
    other = fact(entity("Labetalol"), "treats", MIGRAINE, population="in pregnancy")
    asked = replace(about("treatment"), text="What treats migraine in pregnancy?")
    assert ranked(asked, first, other)[0] == triple_text(other)
    assert ranked(about("treatment"), first, other)[0] == triple_text(first)

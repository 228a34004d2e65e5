"""The order of triples: similarity, aspects, direction, frequency, ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kg.model import Triple
from kg.ranking.lexical import lexical_similarity
from kg.ranking.order import ASPECT_WEIGHT, Question, rank_triples, triple_text
from tests.fake_graph import entity, fact

MIGRAINE = entity("Migraine")
TREATS = fact(entity("Sumatriptan"), "treats", MIGRAINE)
SYMPTOM = fact(MIGRAINE, "has symptom", entity("Nausea"))
OF_OTHER = fact(entity("MELAS"), "has symptom", MIGRAINE)


class Flat:
    """An encoder that finds every text alike."""

    name = "flat"
    languages = frozenset({"en"})

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        return np.tile(np.asarray([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))


class First(Flat):
    """An encoder that finds the question and the text that holds `word` alike, others not."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1.0, 0.0] if i == 0 or self.word in t else [0.0, 1.0] for i, t in enumerate(texts)]
        return np.asarray(rows, dtype=np.float32)


def ranked(question: Question, *triples: Triple, top: int = 20) -> list[str]:
    return [item.text for item in rank_triples(question, triples, Flat(), keep=200, top=top)]


def about(*aspects: str) -> Question:
    return Question("anything", aspects, MIGRAINE.iri or "")


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
        best, _ = rank_triples(about(), [SYMPTOM, other], First(word), keep=9, top=9)
        assert word in best.text
        assert best.scores == {"similarity": 1.0, "score": 1.0}


def test_more_frequent_facts_come_first_when_alike() -> None:
    rare = fact(MIGRAINE, "has symptom", entity("Aura"), frequency="1/50")
    often = fact(MIGRAINE, "has symptom", entity("Pallor"), frequency="45/50")
    assert ranked(about("symptom"), rare, often)[0] == triple_text(often)


def test_equal_scores_are_ordered_by_text() -> None:
    b = fact(MIGRAINE, "has symptom", entity("B"))
    a = fact(MIGRAINE, "has symptom", entity("A"))
    assert ranked(about(), b, a) == ranked(about(), a, b)


def test_a_hub_is_cut_before_it_is_encoded_and_keeps_the_asked_aspect() -> None:
    noise = [fact(MIGRAINE, "related to", entity(f"Thing {n}")) for n in range(500)]
    encoder = Flat()
    best = rank_triples(about("treatment"), [*noise, TREATS], encoder, keep=50, top=20)
    assert len(encoder.encoded) == 51  # the question and 50 triples
    assert len(best) == 20
    assert best[0].text == "Sumatriptan treats Migraine"
    assert best[0].scores["score"] >= 1.0 + ASPECT_WEIGHT - 1e-6


def test_without_an_encoder_shared_words_decide() -> None:
    question = Question("偏头痛怎么治疗", (), "")
    zh = entity("偏头痛")
    triples = [fact(zh, "症状", entity("恶心")), fact(entity("舒马普坦"), "用于治疗", zh)]
    best = rank_triples(question, triples, None, keep=9, top=1)[0]
    assert best.text == "舒马普坦 用于治疗 偏头痛"
    assert set(best.scores) == {"lexical", "score"}


def test_no_triples_give_no_evidence() -> None:
    assert rank_triples(about(), [], Flat(), keep=9, top=9) == []


def test_lexical_similarity_is_a_cosine_with_rarity() -> None:
    texts = ["migraine", "migraine aura", "cough"]
    scores = lexical_similarity("migraine aura", texts)
    assert scores.shape == (3,)
    assert scores[1] > scores[0] > scores[2]
    assert float(scores.max()) <= 1.0 + 1e-6
    assert np.isclose(lexical_similarity("cough", ["cough"])[0], 1.0)
    assert lexical_similarity("", ["cough"])[0] == 0

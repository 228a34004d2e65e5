"""Shared n-grams: a cosine with rarity, for one question or many."""

from __future__ import annotations

import numpy as np

from kg.ranking.lexical import lexical_matrix, lexical_similarity


def test_it_is_a_cosine_with_rarity() -> None:
    texts = ["migraine", "migraine aura", "cough"]
    scores = lexical_similarity("migraine aura", texts)
    assert scores.shape == (3,)
    assert scores[1] > scores[0] > scores[2]
    assert float(scores.max()) <= 1.0 + 1e-6
    assert np.isclose(lexical_similarity("cough", ["cough"])[0], 1.0)
    assert lexical_similarity("", ["cough"])[0] == 0


def test_what_all_texts_share_counts_less_than_what_one_holds() -> None:
    texts = ["migraine nausea", "migraine aura", "migraine pallor"]
    scores = lexical_similarity("migraine aura", texts)
    assert scores[1] > 0.9 and scores[0] < 0.5  # 0.6 if all counted alike


def test_chinese_is_compared_by_characters_and_pairs() -> None:
    scores = lexical_similarity("怎么治疗", ["治疗方法", "疗治方法", "症状"])
    assert scores[0] > scores[1] > scores[2] == 0


def test_every_query_of_a_matrix_has_its_own_row() -> None:
    texts = ["migraine aura", "cough", "偏头痛", ""]
    queries = ["aura of migraine", "头痛", "nothing", ""]
    matrix = lexical_matrix(queries, texts)
    assert matrix.shape == (4, 4)
    for query, row in zip(queries, matrix, strict=True):
        assert np.allclose(lexical_similarity(query, texts), row)
    assert lexical_matrix([], texts).shape == (0, 4)
    assert lexical_matrix(queries, []).shape == (4, 0)


def test_an_unknown_word_of_the_question_makes_it_longer() -> None:
    near, far = (lexical_similarity(q, ["aura"])[0] for q in ("aura", "aura xylophone"))
    assert far < near

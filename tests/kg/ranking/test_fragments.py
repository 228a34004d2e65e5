"""Fragments of a text, and chains ranked by their best one (HyKGE, Eq. 8)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.deadline import Deadline
from kg.model import Hop, Path
from kg.ranking.fragments import CHAIN_WEIGHT, RankedChains, fragments, rank_chains
from kg.ranking.order import Ranker
from kg.text import tokens
from tests.fake_graph import entity, fact
from tests.kg.ranking.fakes import Broken, FakeReranker, Tabled, long, past

WORDS = Ranker(deadline=long())


def chain(name: str, score: float = 0.0) -> Path:
    return Path("path", (Hop(fact(entity(name), "leads to", entity("End"))),), score)


def indices(found: RankedChains) -> list[int]:
    return [index for index, _ in found.matches]


def test_chinese_is_cut_by_characters() -> None:
    text = "偏头痛患者可以服用舒马普坦，它能缓解头痛。"
    assert fragments(text, 10, 4) == (
        "偏头痛患者可以服用舒",
        "以服用舒马普坦，它能缓",
        "舒马普坦，它能缓解头痛",
    )


def test_english_is_cut_by_words() -> None:
    text = "One two three, four\nfive six seven eight."
    assert fragments(text, 4, 2) == (
        "One two three, four",
        "three, four five six",
        "five six seven eight",
    )


def test_in_mixed_text_a_word_counts_like_a_character() -> None:
    assert fragments("维生素B12缺乏 (vitamin deficiency)", 5, 1) == (
        "维生素B12缺",
        "B12缺乏 (vitamin deficiency",
    )


def test_short_and_empty_texts() -> None:
    assert fragments("short text", 10, 4) == ("short text",)
    assert fragments("", 10, 4) == fragments("。，!", 10, 4) == ()


@pytest.mark.parametrize(("size", "overlap"), [(4, 4), (4, 9), (0, 0), (4, -1)])
def test_windows_must_advance(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        fragments("some text", size, overlap)


PART = st.sampled_from(["头", "痛", "aura", "B12", " ", ", ", "。", "\n", "migraine "])


@given(st.lists(PART, max_size=60), st.integers(1, 12), st.integers(0, 11))
def test_every_window_is_whole_and_nothing_is_left_out(
    parts: list[str], size: int, overlap: int
) -> None:
    text = "".join(parts)
    words = [token.text for token in tokens(text)]
    if overlap >= size:
        return
    found = fragments(text, size, overlap)
    cut = [[token.text for token in tokens(piece)] for piece in found]
    assert len(set(found)) == len(found)
    assert all(len(piece) == min(size, len(words)) for piece in cut)
    assert {word for piece in cut for word in piece} == set(words)
    if cut:
        assert cut[0] == words[:size]
    if len(set(words)) == len(words):
        assert not cut or cut[-1] == words[-size:]
        assert all(set(one) & set(other) or not overlap for one, other in pairwise(cut))


def test_scores_land_on_their_own_chains_and_fragments() -> None:
    """The authors reshape (fragments x chains) scores as (chains x fragments)."""
    pieces = [f"piece {n}" for n in (3, 1, 4)]
    chains = [chain(f"Thing {n}") for n in range(5)]
    texts = [f"chain {n}" for n in (9, 2, 6, 5, 7)]

    def score(query: str, text: str) -> float:
        """Greatest where (piece + 2 · chain) modulo 11 is: nothing that a wrong place keeps."""
        return ((int(query.split()[1]) + 2 * int(text.split()[1])) % 11) / 10

    reranker = FakeReranker(score)
    found = rank_chains(chains, texts, pieces, replace(WORDS, reranker=reranker))
    assert (found.reranked, found.asked, found.chains_reranked) == (15, 15, 5)
    assert sorted(reranker.read) == sorted((p, t) for p in pieces for t in texts)
    best = [max((score(piece, text), piece) for piece in pieces) for text in texts]
    for index, match in found.matches:
        assert (match.score, match.fragment) == best[index]
        assert match.scores["rerank"] == match.scores["score"] == match.score
    assert [match.score for _, match in found.matches] == sorted((b[0] for b in best), reverse=True)


@pytest.mark.parametrize("encoder", [None, Tabled(aura=(1, 0), cough=(0, 1), end=(1, 1))])
def test_without_a_reranker_the_closest_fragment_decides(encoder: Tabled | None) -> None:
    pieces = ["the cough of a child", "an aura before", "the end"]
    texts = ["aura leads to light", "cough leads to pain"]
    chains = [chain("Aura"), chain("Cough")]
    found = rank_chains(chains, texts, pieces, replace(WORDS, encoder=encoder))
    assert {index: match.fragment for index, match in found.matches} == {
        0: "an aura before",
        1: "the cough of a child",
    }
    assert (found.reranked, found.asked) == (0, 0)
    for _, match in found.matches:
        assert set(match.scores) == {"chain", "fragment", "score"}
        assert match.score == pytest.approx(match.scores["fragment"], abs=1e-5)


def test_the_score_of_the_chain_weighs_and_does_not_filter() -> None:
    texts = ["aura leads to light"] * 3
    chains = [chain("A", 0.2), chain("B", 0.6), chain("C", 0.4)]
    found = rank_chains(chains, texts, ["an aura before"], WORDS)
    assert indices(found) == [1, 2, 0]
    scores = [match.scores for _, match in found.matches]
    assert [score["chain"] for score in scores] == [0.6, 0.4, 0.2]
    added = [score["score"] - score["fragment"] for score in scores]
    assert added == pytest.approx(
        [0.6 * CHAIN_WEIGHT, 0.4 * CHAIN_WEIGHT, 0.2 * CHAIN_WEIGHT], abs=1e-5
    )
    other = rank_chains(chains, ["nothing", *texts[:2]], ["aura leads to light"], WORDS)
    assert indices(other) == [1, 2, 0]


def test_the_order_never_varies() -> None:
    chains = [chain(f"Thing {n}") for n in range(6)]
    texts = [f"text {n % 2}" for n in range(6)]
    assert indices(rank_chains(chains, texts, ["question"], WORDS)) == [0, 2, 4, 1, 3, 5]


def test_a_reranker_reads_every_chain_once_before_any_twice() -> None:
    pieces = ["aura", "cough", "pain"]
    texts = [f"{word} {n:02}" for n in range(10) for word in ("cough", "aura", "pain")]
    chains = [chain(text, score=-n) for n, text in enumerate(texts)]
    reranker = FakeReranker(lambda query, text: 0.5, limit=40)
    found = rank_chains(chains, texts, pieces, replace(WORDS, reranker=reranker))
    assert (found.reranked, found.asked, found.chains_reranked) == (40, 90, 30)
    first, second = reranker.read[:30], reranker.read[30:]
    assert all(piece == text.split()[0] for piece, text in first)
    cheap = [texts[index] for index in indices(rank_chains(chains, texts, pieces, WORDS))]
    assert [text for _, text in first] == cheap
    assert [text for _, text in second] == cheap[:10]
    assert all(piece != text.split()[0] for piece, text in second)


def test_a_short_time_still_scores_twenty_chains_and_the_rest_stay_behind() -> None:
    texts = [f"text {n:02}" for n in range(30)]
    chains = [chain(text, score=-n) for n, text in enumerate(texts)]
    reranker = FakeReranker(lambda query, text: int(text.split()[1]) / 100)
    late = replace(WORDS, reranker=reranker, deadline=past())
    found = rank_chains(chains, texts, ["one", "two"], late)
    assert (found.reranked, found.asked, found.chains_reranked) == (20, 60, 20)
    assert indices(found) == [*reversed(range(20)), *range(20, 30)]
    assert "rerank" not in found.matches[-1][1].scores
    few = rank_chains(chains[:3], texts[:3], ["one", "two"], late)
    assert (few.reranked, few.asked, few.chains_reranked) == (6, 6, 3)


def test_models_that_do_not_answer_are_left_out() -> None:
    chains, texts = [chain("A"), chain("B")], ["a", "b piece"]
    broken = FakeReranker(lambda query, text: 1.0, fails_at=0)
    found = rank_chains(chains, texts, ["piece"], replace(WORDS, reranker=broken, encoder=Broken()))
    assert found.matches == rank_chains(chains, texts, ["piece"], WORDS).matches
    assert (found.reranked, found.asked, found.chains_reranked) == (0, 2, 0)
    assert {job: error.user_message for job, error in found.failed.items()} == {
        "encoder": "The encoder is away.",
        "re-ranker": "The re-ranker does not answer.",
    }


def test_a_stopped_question_is_not_reranked() -> None:
    stopped = Deadline.after(600, stopped=lambda: True)
    reranker = FakeReranker(lambda query, text: 1.0)
    ranker = replace(WORDS, reranker=reranker, deadline=stopped)
    found = rank_chains([chain("A"), chain("B")], ["a", "b"], ["piece"], ranker)
    assert indices(found) == [0, 1] and found.chains_reranked == 0
    assert reranker.read == []


def test_only_the_best_are_kept_and_without_fragments_the_chains_own_score_decides() -> None:
    chains = [chain("A", 0.1), chain("B", 0.3), chain("C", 0.2)]
    texts = ["a", "b", "c"]
    assert indices(rank_chains(chains, texts, ["c"], replace(WORDS, keep=2))) == [2, 1]
    found = rank_chains(chains, texts, [], WORDS)
    assert indices(found) == [1, 2, 0]
    assert found.matches[0][1].scores == {"chain": 0.3, "score": 0.3}
    assert rank_chains([], [], ["piece"], WORDS).matches == ()


def test_an_encoder_that_does_not_get_through_is_left_out() -> None:
    texts = [f"text {n:03}" for n in range(90)]
    chains = [chain(text, score=-n) for n, text in enumerate(texts)]
    encoder = Tabled(text=(1, 0), piece=(0, 1))
    late = replace(WORDS, encoder=encoder, encoder_deadline=past())
    found = rank_chains(chains, texts, ["text piece"], late)
    assert not found.complete and not found.failed
    assert found.matches == rank_chains(chains, texts, ["text piece"], WORDS).matches
    assert rank_chains(chains, texts, ["piece"], replace(late, encoder_deadline=long())).complete

"""Chains against fragments of question and hypothesis (HyKGE, Eq. 8).

The text is cut into overlapping windows; every chain is compared with every one of them, and the
best decides. So a chain that fits one statement of a long hypothesis is not drowned by the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kg.errors import ModelError
from kg.model import Path
from kg.ranking.encoding import encoded_in_time
from kg.ranking.hub import Job
from kg.ranking.lexical import lexical_matrix
from kg.ranking.order import Ranker
from kg.ranking.reranking import scored_in_time
from kg.text import tokens

__all__ = ["CHAIN_WEIGHT", "FragmentMatch", "RankedChains", "fragments", "rank_chains"]

# What the graph's own score of a chain (aspect of its relations, rarity of its middle; about 0 to
# 1) counts beside the cosine with the best fragment: an asked aspect in every hop adds a third.
CHAIN_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class FragmentMatch:
    """A chain's score and its best fragment.

    `scores`: "chain" is Path.score, "fragment" the cosine with the fragment that is closest,
    "rerank" the re-ranker's best score, "score" what the order is by.
    """

    score: float
    fragment: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RankedChains:
    """Chains by index, best first, and of how many pairs with a fragment the re-ranker scored.

    `chains_reranked` is the number of chains of which it scored one pair at least; `failed` says
    which models did not answer; `complete` is False when the encoder's time ended too soon.
    """

    matches: tuple[tuple[int, FragmentMatch], ...]
    reranked: int = 0
    asked: int = 0
    chains_reranked: int = 0
    failed: Mapping[Job, ModelError] = field(default_factory=dict)
    complete: bool = True


def fragments(text: str, size: int, overlap: int) -> tuple[str, ...]:
    """Windows of `size` words, a Chinese character counting as one; `overlap` of them shared.

    The last is moved back to be whole; a shorter text is one fragment. None is there twice.
    Raises ValueError where windows would not advance.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"overlap {overlap} must be at least 0 and less than size {size}")
    words = tokens(text)
    if not words:
        return ()
    last = max(0, len(words) - size)
    starts = [*range(0, last, size - overlap), last]
    pieces = (text[words[i].start : words[min(i + size, len(words)) - 1].end] for i in starts)
    return tuple(dict.fromkeys(" ".join(piece.split()) for piece in pieces))


def rank_chains(
    chains: Sequence[Path], texts: Sequence[str], pieces: Sequence[str], ranker: Ranker
) -> RankedChains:
    """The `ranker.keep` best chains by Path.score, ordered by their best fragment; `top` is unused.

    `texts` are what rankers read of the chains. Without a re-ranker the order is by the cosine with
    the best fragment plus CHAIN_WEIGHT times Path.score, so that the asked aspects weigh. A
    re-ranker's best score decides alone, equal ones by that; it reads each chain with its closest
    fragment first, then with the next, until all pairs are scored or its time ends; chains of
    which it read none stand behind. A model that does not answer is left out, and
    `failed` says so: without the encoder, or when it does not get through, shared words decide.
    """
    kept = sorted(range(len(chains)), key=lambda i: (-chains[i].score, texts[i], i))[: ranker.keep]
    items = [_Chain(i, texts[i], chains[i].score) for i in kept]
    if not items or not pieces:
        return RankedChains(tuple((item.index, item.match(("",))) for item in items))
    failed: dict[Job, ModelError] = {}
    likeness, complete = _likeness(items, pieces, ranker, failed)
    _score(items, likeness)
    items.sort(key=lambda item: -item.score)
    done = 0
    if ranker.reranker:
        pairs = list(_rounds(items))
        read = [(pieces[piece], item.text) for item, piece in pairs]
        scored = scored_in_time(ranker.reranker, read, ranker.deadline, ranker.least)
        failed |= {"re-ranker": scored.problem} if scored.problem else {}
        done = len(scored.scores)
        for (item, piece), score in zip(pairs, scored.scores.tolist(), strict=False):
            item.take(piece, score)
        items.sort(key=lambda item: (item.reranked is None, -(item.reranked or 0.0)))
    return RankedChains(
        tuple((item.index, item.match(pieces)) for item in items),
        done,
        len(items) * len(pieces) if ranker.reranker else 0,
        sum(item.reranked is not None for item in items),
        failed,
        complete,
    )


@dataclass(slots=True)
class _Chain:
    """A chain on its way through the stages; `piece` is the number of its best fragment."""

    index: int
    text: str
    own: float
    likeness: NDArray[np.float64] | None = None  # to every fragment
    piece: int = 0
    score: float = 0.0
    reranked: float | None = None

    def take(self, piece: int, score: float) -> None:
        """Keep a re-ranker's score where it is the best so far."""
        if self.reranked is None or score > self.reranked:
            self.piece, self.reranked = piece, score

    def match(self, pieces: Sequence[str]) -> FragmentMatch:
        """What the caller gets of it."""
        scores = {"chain": self.own}
        if self.likeness is None:
            self.score = self.own
        else:
            scores["fragment"] = float(self.likeness.max())
        if self.reranked is not None:
            scores["rerank"] = self.score = self.reranked
        return FragmentMatch(self.score, pieces[self.piece], {**scores, "score": self.score})


def _likeness(
    items: Sequence[_Chain],
    pieces: Sequence[str],
    ranker: Ranker,
    failed: dict[Job, ModelError],
) -> tuple[NDArray[np.float64], bool]:
    """Cosines, shape (len(pieces), len(items)), and whether the encoder's time sufficed.

    An encoder that does not answer is put into `failed`.
    """
    texts = [item.text for item in items]
    complete = True
    if ranker.encoder is not None:
        try:
            read = [*pieces, *texts]
            vectors = encoded_in_time(ranker.encoder, read, ranker.encoder_deadline)
            complete = len(vectors) == len(read)
            if complete:
                products = vectors[: len(pieces)] @ vectors[len(pieces) :].T
                return products.astype(np.float64), complete
        except ModelError as error:
            failed["encoder"] = error
    return lexical_matrix(pieces, texts), complete


def _score(items: Sequence[_Chain], likeness: NDArray[np.float64]) -> None:
    """Give every chain its cosines with the fragments, the closest one and the cheap score."""
    for item, row in zip(items, likeness.T, strict=True):
        item.likeness, item.piece = row, int(row.argmax())
        item.score = round(float(row.max()) + CHAIN_WEIGHT * item.own, 5)


def _rounds(items: Sequence[_Chain]) -> Iterator[tuple[_Chain, int]]:
    """Each chain with its closest fragment, then each with the next, until all pairs are there."""
    rows = [item.likeness for item in items if item.likeness is not None]
    for closest in np.argsort(-np.stack(rows), axis=1, kind="stable").T.tolist():
        yield from zip(items, closest, strict=True)

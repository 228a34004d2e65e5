"""The curve that δ of Eq. 1 is read from: mentions that no name of the graph fits, by nearest name.

    python bench/linking/delta.py HOME [--encoder all-MiniLM-L6-v2] [--part train]

For each δ: how many of these mentions a nearest name reaches (coverage), how many of those are
right (precision), and how many runs of words that are no mention at all (open spans of the
abstracts apart from gold mentions and from the graph's names) are taken for one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.linking.corpus import Gold, gold_mentions
from bench.linking.measure import FUZZY, Linker, Step
from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.vectors import StoredVectors, open_vectors
from kg.mentions import open_spans
from kg.ranking.encoders import load_encoder
from kg.text import is_abbreviation

DELTAS = np.round(np.concatenate((np.arange(0.5, 0.9, 0.025), np.arange(0.9, 1.0, 0.01))), 3)
DOCUMENTS = 100  # whose open spans are looked at
BATCH = 256
LONG = Deadline.after(86_400)


def nearest(vectors: StoredVectors, names: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Per name the nearest entity and its score; names that the encoder does not read are out."""
    found: dict[str, tuple[str, float]] = {}
    wanted = sorted(set(names))
    for first in range(0, len(wanted), BATCH):
        batch = wanted[first : first + BATCH]
        for name, candidates in zip(batch, vectors.nearest(batch, "en", 1, LONG), strict=True):
            if candidates:
                found[name] = (candidates[0].iri, candidates[0].score)
    return found


def words_beside(golds: Sequence[Gold], graph: LocalGraph) -> list[str]:
    """Open spans of some abstracts, as a question would have them, that touch no gold mention."""
    texts: dict[str, list[Gold]] = {}
    for gold in golds:
        texts.setdefault(gold.text, []).append(gold)
    spans = []
    for text, of_text in list(texts.items())[:DOCUMENTS]:
        for span in open_spans(text, graph.mentions(text, LONG)):
            if all(span.end <= g.mention.start or g.mention.end <= span.start for g in of_text):
                spans.append(span.text)
    return spans


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("--part", default="train", choices=("train", "dev"))
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    options = parser.parse_args()
    folder = options.home / "graphs" / "medical"
    encoder = load_encoder(options.encoder, frozenset({"en"}), offline=True)
    vectors = open_vectors(folder, encoder, 0.0)
    if vectors is None:
        sys.exit("There are no vectors: run graphcite kg vectors in this home.")
    graph = LocalGraph(folder)
    linker = Linker(graph, Step("names", FUZZY), None)
    every = gold_mentions(options.part)
    golds = [
        gold
        for gold in every
        if gold.ids and not is_abbreviation(gold.mention.text) and linker.link(gold) is None
    ]
    known = nearest(vectors, [gold.mention.text for gold in golds])
    scores, right = [], []
    for gold in golds:
        iri, score = known.get(gold.mention.text, ("", 0.0))
        scores.append(score)
        right.append(bool(iri) and bool(linker.ids(iri) & gold.ids))
    beside = words_beside(every, graph)
    noise = nearest(vectors, beside)
    noisy = np.array([noise[text][1] if text in noise else 0.0 for text in beside])
    print(f"{encoder.name}, {options.part}: {len(golds)} mentions without a name in the graph,")
    print(f"{len(beside)} spans that are no mention")
    curve(np.array(scores), np.array(right), noisy)
    graph.close()


def curve(scores: np.ndarray, right: np.ndarray, noise: np.ndarray) -> None:
    print(f"{'delta':>6}{'coverage':>10}{'precision':>11}{'right':>8}{'no mention':>12}")
    for delta in DELTAS:
        taken = scores >= delta
        precision = right[taken].mean() if taken.any() else float("nan")
        print(
            f"{delta:6.3f}{taken.mean():10.3f}{precision:11.3f}{(taken & right).mean():8.3f}"
            f"{(noise >= delta).mean():12.4f}"
        )


if __name__ == "__main__":
    main()

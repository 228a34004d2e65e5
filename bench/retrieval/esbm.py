"""How well salience picks the facts that people pick: F-measure at 5 and 10 on ESBM's DBpedia part.

    python bench/retrieval/esbm.py [--encoder] [--worst 10]

As ESBM measures: per entity the mean, over its six gold summaries, of F1 between our first k
triples and the k that a person chose, and the mean of that over the entities; with the middle
95 % of a bootstrap over entities. No parameter is fitted, but the rules were shaped by hand with
the scores of S0 and S1 (50 entities) in view: the fair figures are those of S2 to S4 (75). See
README.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from esbm_data import SIZES, Description, fold_of, read_descriptions
from measures import f_measure, shown, table

from kg.ranking.salience import salience

Order = Callable[[Description], Sequence[int]]
DRAWS = 20


def by_salience(one: Description) -> list[int]:
    """Our order."""
    scores = salience(one.iri, one.triples)
    return sorted(range(len(one.triples)), key=lambda i: -scores[i])


def as_the_graph_gives(one: Description) -> list[int]:
    """Our order of what LocalGraph.triples gives; what it does not give is missed."""
    places = [i for i, given in enumerate(one.given) if given]
    scores = salience(one.iri, [one.triples[i] for i in places])
    return [i for _, i in sorted(zip(-scores, places, strict=True))]


def ties_at_random(draw: int) -> Order:
    """Our order, but facts that are worth the same (to six digits) in any order."""

    def order(one: Description) -> list[int]:
        chance, scores = random.Random(draw), salience(one.iri, one.triples)
        return sorted(
            range(len(one.triples)), key=lambda i: (-round(float(scores[i]), 6), chance.random())
        )

    return order


def at_random(draw: int) -> Order:
    """Any order."""
    return lambda one: random.Random(draw).sample(range(len(one.triples)), len(one.triples))


def by_file(one: Description) -> range:
    """The order of the file."""
    return range(len(one.triples))


def by_encoder() -> Order:
    """KG-Rank's similarity with the name as the question."""
    from kg.ranking.encoders import DEFAULT_ENCODER, load_encoder
    from kg.ranking.order import triple_text

    encoder = load_encoder(DEFAULT_ENCODER, frozenset({"en"}), offline=True)

    def order(one: Description) -> list[int]:
        name = next(
            end.label for t in one.triples for end in (t.subject, t.object) if end.iri == one.iri
        )
        texts = [f"Tell me about {name}", *(triple_text(t) for t in one.triples)]
        vectors = encoder.encode(texts)
        return [int(i) for i in (-(vectors[1:] @ vectors[0])).argsort(kind="stable")]

    return order


def best_possible(one: Description) -> dict[int, float]:
    """F-measure of the k triples that most people chose."""
    votes = {
        size: [sum(s in gold for gold in one.gold[size]) for s in one.statements] for size in SIZES
    }
    return {size: sum(sorted(votes[size])[-size:]) / size / len(one.gold[size]) for size in SIZES}


def one_person(one: Description) -> dict[int, float]:
    """F-measure of each person against the other five, on average."""
    found = {}
    for size in SIZES:
        gold = one.gold[size]
        pairs = [(a, b) for i, a in enumerate(gold) for j, b in enumerate(gold) if i != j]
        found[size] = sum(f_measure(a, b) for a, b in pairs) / len(pairs)
    return found


def score(one: Description, order: Sequence[int]) -> dict[int, float]:
    """F-measure by size for one entity."""
    scores = {}
    for size in SIZES:
        top = [one.statements[i] for i in order[:size]]
        scores[size] = sum(f_measure(top, gold) for gold in one.gold[size]) / len(one.gold[size])
    return scores


def mean_over_draws(one: Description, orders: Sequence[Order]) -> dict[int, float]:
    """The mean score of several orders of one entity."""
    found = [score(one, order(one)) for order in orders]
    return {size: sum(each[size] for each in found) / len(found) for size in SIZES}


def rows(entities: Sequence[Description], encoder: bool) -> list[list[str]]:
    """The lines of the table."""
    measured: dict[str, list[dict[int, float]]] = {
        "salience": [score(one, by_salience(one)) for one in entities],
        f"salience, equal facts in any order, mean of {DRAWS}": [
            mean_over_draws(one, [ties_at_random(draw) for draw in range(DRAWS)])
            for one in entities
        ],
        "salience, of what LocalGraph.triples gives": [
            score(one, as_the_graph_gives(one)) for one in entities
        ],
        f"any order, mean of {DRAWS}": [
            mean_over_draws(one, [at_random(draw) for draw in range(DRAWS)]) for one in entities
        ],
        "order of the file": [score(one, by_file(one)) for one in entities],
    }
    if encoder:
        order = by_encoder()
        measured["MiniLM, “Tell me about NAME”"] = [score(one, order(one)) for one in entities]
    measured["one of the six people, against each other"] = [one_person(one) for one in entities]
    measured["best possible"] = [best_possible(one) for one in entities]
    return [
        [name, *(shown([each[size] for each in found]) for size in SIZES)]
        for name, found in measured.items()
    ]


def show(entities: Sequence[Description], parts: dict[str, set[int]], encoder: bool) -> None:
    """The tables."""
    head = ["", *(f"F at {size}" for size in SIZES)]
    given = sum(sum(one.given) for one in entities)
    print(
        f"{len(entities)} entities, {sum(len(one.statements) for one in entities):,} triples, "
        f"{given:,} of them given by LocalGraph.triples\n"
    )
    print(table(head, rows(entities, encoder)))
    print()
    lines = []
    for name, numbers in parts.items():
        scores = [score(one, by_salience(one)) for one in entities if one.number in numbers]
        if scores:
            figures = [shown([each[size] for each in scores]) for size in SIZES]
            lines.append([f"salience, {name}", len(scores), *figures])
    print(table(["", "entities", *head[1:]], lines))


def show_worst(entities: Sequence[Description], count: int) -> None:
    """The entities that we serve worst, with our five and what most people chose."""
    for one in sorted(entities, key=lambda e: score(e, by_salience(e))[5])[:count]:
        print(f"\n{one.iri} {score(one, by_salience(one))}")
        for index in by_salience(one)[:5]:
            votes = sum(one.statements[index] in gold for gold in one.gold[5])
            print(f"  {votes} {one.statements[index][:150]}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--encoder", action="store_true", help="MiniLM's order too")
    parser.add_argument("--worst", type=int, default=0, help="show so many of the worst")
    parser.add_argument("--entities", type=int, help="only so many")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        entities = read_descriptions(scratch, given.entities)
        folds = {f"S{number}": fold_of(scratch, f"S{number}") for number in range(5)}
        parts = {
            "S0 and S1, which shaped the rules": folds["S0"] | folds["S1"],
            "S2 to S4, held out": folds["S2"] | folds["S3"] | folds["S4"],
            **folds,
        }
        show(entities, parts, given.encoder)
    show_worst(entities, given.worst)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""HyKGE (arXiv 2312.15883): a hypothesis brings names, chains between all names are the evidence.

Hypothesis; names in question and hypothesis; linking; chains of at most k hops with descriptions
of both ends; fragments of [Q ‖ HO] re-rank the chains, the best `top_k` stay. With one entity: its
one-hop triples and guided expansion. Without a language model it runs as the paper's "w/o HO".
Ours is only that facts around the question's entities take the places that chains leave free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kg.chains import chain_evidence, chain_text, ends
from kg.duplicates import without_duplicates
from kg.errors import ModelError
from kg.model import ChainSet, Evidence, LinkedEntity, Path
from kg.quoting import quoted_question
from kg.ranking.fragments import fragments, rank_chains
from kg.strategies.chaining import expanded, joining
from kg.strategies.describing import described
from kg.strategies.one_hop import collect_facts, rank_facts, with_disputes
from kg.strategies.run import Run

__all__ = ["run_hykge"]

HYPOTHESIS_TOKENS, TEMPERATURE = 300, 0.6  # NOTES.md
MOST_ENTITIES = 30  # the paper's cases link 12 and 23
CHAINS_SHARE = 0.6  # of the time: the rest is for the facts around, when the search finds nothing


def run_hykge(run: Run) -> None:
    """Fill the run with the evidence for its question."""
    _hypothesise(run)
    run.read_question(nested=True)
    if run.hypothesis:
        run.read_hypothesis(run.hypothesis)
    run.entities = run.entities[:MOST_ENTITIES]
    whole = [entity for entity in run.entities if not entity.nested]
    if len(whole) < 2:
        run.entities = tuple(whole)
        _around(run, whole)
        return
    if "path" in run.parameters.without:
        _describe(run, [entity.iri for entity in run.entities])
        return
    found = _chains(run)
    if found.chains:
        _joined(run, found.chains)
        return
    if found.complete:
        _say_apart(run, whole)
    _around(run, [entity for entity in whole if entity.origin == "question"] or whole)


def _say_apart(run: Run, entities: Sequence[LinkedEntity]) -> None:
    comma = "、" if run.request.language == "zh" else ", "
    names = comma.join(entity.label for entity in entities[:4])
    run.say(
        f"No chain of at most {run.parameters.k} hops joins {names}; the facts around each "
        "are given instead.",
        f"图谱中没有不超过 {run.parameters.k} 步的关系链连接{names}；改为给出各自的事实。",
    )


def _hypothesise(run: Run) -> None:
    """Let the model write what may matter (Eq. 3); without it the question stands alone."""
    if "ho" in run.parameters.without or not run.asking.available:
        return
    try:
        with run.stage("hypothesis"):
            run.hypothesis = run.asking.write(
                "hypothesis",
                max_tokens=HYPOTHESIS_TOKENS,
                temperature=TEMPERATURE,
                question=quoted_question(run.request.question),
            )
    except ModelError as error:
        run.asking.fell_back(
            error, english="Evidence was found without a hypothesis.", chinese="未使用假设答案。"
        )


def _chains(run: Run) -> ChainSet:
    """The chains between every pair of entities (Eqs. 5-7)."""
    with run.stage("chains", share=CHAINS_SHARE):
        found = run.attempt(lambda: joining(run))
        run.chains_found = found.found
        run.complete = run.complete and found.complete
        return found
    return ChainSet((), {}, complete=False)


def _joined(run: Run, chains: Sequence[Path]) -> None:
    """The best `top_k` chains by their best fragment (Eq. 8), and what their ends are.

    Where fewer chains are kept, the best facts around what the question names take their places:
    a chance chain must not be all that is left of a question about one thing.
    """
    guesses = frozenset(e.iri for e in run.entities if e.origin == "hypothesis")
    with run.stage("ranking"):
        items = [
            chain_evidence(path, scores, guesses, fragment)
            for path, scores, fragment in _ranked(run, chains)
        ]
        kept = without_duplicates(items)[: run.parameters.top_k]
        direct = [path.hops[0].triple for path in chains if len(path.hops) == 1]
        run.evidence = tuple(with_disputes(run, kept, direct))
    described_ends = dict.fromkeys(iri for item in kept for iri in ends(item.hops))
    if len(kept) < run.parameters.top_k and "facts" not in run.parameters.without:
        _filled(run, kept)
    _describe(run, described_ends)


def _filled(run: Run, chains: Sequence[Evidence]) -> None:
    """Add the best facts around the question's entities, up to `top_k` with the chains."""
    with run.stage("retrieval"):
        collect_facts(run, [e for e in run.entities if e.origin == "question" and not e.nested])
    with run.stage("ranking"):
        known = sum(len(item.hops) == 1 for item in chains)  # which joins, ranked first again
        room = run.parameters.top_k - len(chains) + known
        plain = "reranker" in run.parameters.without
        ranker = run.rankers.cheap(run.deadline) if plain else run.ranker()
        run.evidence += tuple(rank_facts(run, replace(ranker, top=room)))


def _ranked(run: Run, chains: Sequence[Path]) -> list[tuple[Path, dict[str, float], str | None]]:
    without = run.parameters.without
    if "reranker" in without:
        return [(p, {"chain": p.score, "score": p.score}, None) for p in chains]
    text = "\n".join(part for part in (run.question, run.hypothesis) if part)
    pieces = (
        (text,) if "fragments" in without else fragments(text, run.parameters.lc, run.parameters.oc)
    )
    ranked = rank_chains(chains, [chain_text(path) for path in chains], pieces, run.ranker())
    run.rankers.heed(ranked)
    run.check_stopped()
    return [(chains[n], dict(match.scores), match.fragment) for n, match in ranked.matches]


def _describe(run: Run, iris: Iterable[str]) -> None:
    """Add what these entities are, unless the question is asked without descriptions."""
    if "description" in run.parameters.without:
        return
    with run.stage("descriptions"):
        run.evidence += tuple(described(run, iris))


def _around(run: Run, entities: Sequence[LinkedEntity]) -> None:
    """The one-hop facts of these entities; from a single one also guided expansion."""
    with run.stage("retrieval"):
        collect_facts(run, entities)
    paths = [] if "path" in run.parameters.without else expanded(run, entities)
    with run.stage("ranking"):
        run.evidence = (*paths, *rank_facts(run, run.ranker()))
    _describe(run, [entity.iri for entity in entities])

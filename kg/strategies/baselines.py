"""The baselines of the HyKGE paper, so that a user can compare.

*Base*: the model alone. *Graph RAG*: what the question's own entities have around and between
them, in the graph's cheap order. *Query expansion*: a model names related terms first.
*Chain-of-note*: reading notes on the evidence before the answer. *Chain-of-knowledge*: reasoning
steps, each corrected by the graph, at least three calls before the answer.
"""

from __future__ import annotations

from dataclasses import replace

from kg.chains import chain_evidence
from kg.errors import ModelError
from kg.model import Evidence
from kg.quoting import evidence_lines, quoted_question, quoted_text
from kg.ranking.order import Ranker
from kg.strategies.chaining import joining
from kg.strategies.describing import described
from kg.strategies.one_hop import collect_facts, rank_facts
from kg.strategies.run import Run

__all__ = [
    "run_base",
    "run_chain_of_knowledge",
    "run_chain_of_note",
    "run_graph_rag",
    "run_query_expansion",
]

TOKENS, TEMPERATURE = 300, 0.6  # NOTES.md, for query expansion and chain-of-note
NOTES_TOKENS = 600
CORRECTION_TOKENS = 150
FEWEST_STEPS, MOST_STEPS = 2, 4
STEP_EVIDENCE = 8
LONGEST_STEP = 300  # characters
MOST_EXPANSIONS = 6


def run_base(run: Run) -> None:
    """No evidence: the model answers from what it knows."""


def run_graph_rag(run: Run) -> None:
    """One-hop facts of the question's entities and chains between them, cheaply ordered."""
    run.read_question()
    _graph_rag(run)


def run_query_expansion(run: Run) -> None:
    """Terms and phrasings that a model adds to the question lead to entities and rank facts."""
    run.read_question()
    try:
        with run.stage("query expansion"):
            terms = run.asking.names(
                "query-expansion",
                most=MOST_EXPANSIONS,
                longest=LONGEST_STEP,
                max_tokens=TOKENS,
                temperature=TEMPERATURE,
                question=quoted_question(run.question),
            )
            if terms:
                run.notes["query expansion"] = "\n".join(terms)
            else:
                run.say("The model added nothing to the question.", "模型没有为问题补充内容。")
    except ModelError as error:
        run.asking.fell_back(
            error, english="The question stayed as it is.", chinese="问题保持原样。"
        )
    added = run.notes.get("query expansion")
    if added:
        run.read_hypothesis(added)
    with run.stage("retrieval"):
        collect_facts(run, run.entities)
    with run.stage("ranking"):
        ranked = rank_facts(run, _expanding(run, added))
        run.evidence = (*ranked, *described(run, run.facts))


def run_chain_of_note(run: Run) -> None:
    """Graph RAG's evidence with a model's reading notes on it."""
    run.read_question()
    _graph_rag(run)
    if not run.evidence:
        return
    lines, _ = evidence_lines(run.evidence, run.request.language)
    try:
        with run.stage("notes"):
            run.notes["notes"] = run.asking.write(
                "notes",
                max_tokens=NOTES_TOKENS,
                temperature=TEMPERATURE,
                question=quoted_question(run.question),
                evidence=lines,
            )
    except ModelError as error:
        run.asking.fell_back(
            error, english="The answer was written without notes.", chinese="回答未使用阅读笔记。"
        )


def run_chain_of_knowledge(run: Run) -> None:
    """Reasoning steps, each with its own evidence and corrected by it."""
    run.read_question()
    steps = _steps(run)
    gathered: dict[str, Evidence] = {}
    corrected = []
    for step in steps:
        evidence = _for_step(run, step)
        gathered |= {item.key: item for item in evidence}
        corrected.append(_corrected(run, step, evidence))
    if corrected:
        run.notes["steps"] = "\n".join(corrected)
    _graph_rag(run)
    gathered |= {item.key: item for item in run.evidence}
    run.evidence = tuple(gathered.values())


def _expanding(run: Run, text: str | None) -> Ranker:
    """Ranks by the question together with what a model added to it."""
    return replace(run.ranker(draft=text), mode="expansion")


def _graph_rag(run: Run) -> None:
    """Evidence around and between the entities, by the cheap scores alone."""
    with run.stage("retrieval"):
        collect_facts(run, run.entities)
    between: list[Evidence] = []
    with run.stage("chains"):
        if len(run.entities) > 1:
            found = run.attempt(lambda: joining(run))
            run.chains_found = found.found
            run.complete = run.complete and found.complete
            best = found.chains[: run.parameters.top_k]
            between = [chain_evidence(p, {"chain": p.score, "score": p.score}) for p in best]
    with run.stage("ranking"):
        facts = rank_facts(run, run.rankers.cheap(run.deadline))
        run.evidence = (*between, *facts, *described(run, run.facts))


def _steps(run: Run) -> tuple[str, ...]:
    """At least two steps, so that each question is thought through and corrected more than once."""
    try:
        with run.stage("steps"):
            steps = run.asking.names(
                "knowledge-steps",
                most=MOST_STEPS,
                longest=LONGEST_STEP,
                max_tokens=TOKENS,
                temperature=TEMPERATURE,
                question=quoted_question(run.question),
            )
            if not steps:
                run.say(
                    "The model named no steps; the answer was written without them.",
                    "模型没有给出推理步骤，回答未使用推理步骤。",
                )
                return ()
            return steps if len(steps) >= FEWEST_STEPS else (*steps, run.request.question)
    except ModelError as error:
        run.asking.fell_back(
            error, english="The answer was written without steps.", chinese="回答未使用推理步骤。"
        )
    return ()


def _for_step(run: Run, step: str) -> list[Evidence]:
    """The best facts for one step: of the entities that it names, else of the question's."""
    named = run.read_hypothesis(step) or run.entities
    with run.stage("retrieval"):
        collect_facts(run, [entity for entity in named if entity.iri not in run.facts])
    with run.stage("ranking"):
        iris = {entity.iri for entity in named}
        return rank_facts(run, _expanding(run, step), iris)[:STEP_EVIDENCE]
    return []


def _corrected(run: Run, step: str, evidence: list[Evidence]) -> str:
    """The step as the evidence corrects it; itself, where the model does not answer."""
    lines, _ = evidence_lines(evidence, run.request.language)
    try:
        with run.stage("correction"):
            return run.asking.write(
                "knowledge-correction",
                max_tokens=CORRECTION_TOKENS,
                temperature=0.0,
                step=quoted_text(step, LONGEST_STEP),
                evidence=lines,
            )
    except ModelError as error:
        run.asking.fell_back(
            error, english="A step stayed as it was.", chinese="一个推理步骤保持原样。"
        )
    return step

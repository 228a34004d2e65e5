"""KG-Rank (arXiv 2403.05881): the one-hop triples of each linked entity, ranked for the question.

Names by the graph or by a prompt; linking; one-hop triples; *similarity*, *expansion* or *mmr*;
re-ranking; 200 then 20 per concept, 20 overall. Where one entity is linked and the question names
a relation that only its neighbours have, paths of two hops stand before them.
"""

from __future__ import annotations

from dataclasses import replace

from kg.errors import ModelError
from kg.model import LinkedEntity
from kg.populations import is_people
from kg.quoting import quoted_question
from kg.strategies.chaining import expanded
from kg.strategies.describing import described
from kg.strategies.one_hop import collect_facts, rank_facts
from kg.strategies.run import Run

__all__ = ["run_kg_rank"]

MOST_TERMS = 10  # the prompt asks for three to five
DRAFT_TOKENS, DRAFT_TEMPERATURE = 300, 0.6


def run_kg_rank(run: Run) -> None:
    """Fill the run with the evidence for its question."""
    terms = _terms(run) if run.parameters.ner == "prompt" else ()
    draft = _draft(run) if run.parameters.ranking == "expansion" else None
    if terms:
        run.name_terms(terms)
        if not run.entities:
            _say_graph_names(run)
    if not run.entities:
        run.read_question()
    asked = _asked(run)
    with run.stage("retrieval"):
        collect_facts(run, asked)
    paths = expanded(run, asked)
    with run.stage("ranking"):
        ranked = rank_facts(run, run.ranker(draft=draft))
        run.evidence = (*paths, *ranked, *described(run, run.facts))


def _asked(run: Run) -> list[LinkedEntity]:
    """The entities whose facts may answer: no background, and no people beside something else."""
    front = [entity for entity in run.entities if entity.iri not in run.background]
    return [entity for entity in front if not is_people(entity.mention)] or front


def _terms(run: Run) -> tuple[str, ...]:
    """The terms that the model names in the question; none, said, when it does not."""
    if not run.asking.available:
        run.say(
            "Naming terms by prompt needs a language model; the graph's names were used.",
            "用提示词识别术语需要语言模型；已改用图谱中的名称。",
        )
        return ()
    try:
        with run.stage("terms"):
            question = quoted_question(run.question)
            terms = run.asking.names("ner", most=MOST_TERMS, question=question)
            if not terms:
                _say_graph_names(run)
            return terms
    except ModelError as error:
        run.asking.fell_back(
            error,
            english="The graph's own names in the question were used.",
            chinese="已改用图谱中的名称。",
        )
    return ()


def _say_graph_names(run: Run) -> None:
    run.say(
        "The terms that the model named lead nowhere in the graph; the graph's own names in the "
        "question were used.",
        "模型给出的术语在图谱中没有对应，已改用图谱中的名称。",
    )


def _draft(run: Run) -> str | None:
    """The draft answer that triples are compared with; None, said, when there is none."""
    if not run.asking.available:
        run.parameters = replace(run.parameters, ranking="similarity")
        run.say(
            "Answer expansion needs a language model; ranked by similarity instead.",
            "答案扩展需要语言模型；已改用相似度排序。",
        )
        return None
    try:
        with run.stage("draft"):
            draft = run.asking.write(
                "expansion",
                max_tokens=DRAFT_TOKENS,
                temperature=DRAFT_TEMPERATURE,
                question=quoted_question(run.question),
            )
            run.notes["expansion"] = draft
            return draft
    except ModelError as error:
        run.parameters = replace(run.parameters, ranking="similarity")
        run.asking.fell_back(
            error, english="Ranked by similarity instead.", chinese="已改用相似度排序。"
        )
    return None

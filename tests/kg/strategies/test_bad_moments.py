"""The same question at a bad moment: beside nineteen others, in another process, when stopped."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.errors import DeadlineExceeded
from kg.local import LocalGraph
from kg.protocols import KnowledgeGraph
from kg.sources import import_source
from kg.strategies.names import STRATEGIES
from tests.kg.strategies.asked import asked
from tests.kg.strategies.test_bad_replies import GRAPH, QUESTION
from tests.kg.word_encoder import WordEncoder
from tests.scripted_model import ScriptedModel

JOBS = {
    "hypothesis": "A triptan may cause dizziness. Asthma and depression matter too.",
    "ner": '["migraine", "asthma", "depression"]',
    "expansion": "Propranolol prevents migraine and worsens asthma.",
    "query-expansion": '["triptans", "aura", "propranolol asthma"]',
    "notes": "E1 says so.",
    "knowledge-steps": '["Propranolol prevents migraine.", "It worsens asthma."]',
    "knowledge-correction": "So it is.",
}
QUESTIONS = (
    ("Why should propranolol not be given for migraine in people with asthma?", "en"),
    ("What are the symptoms of asthma and depression?", "en"),
    ("偏头痛和哮喘有什么关系？", "zh"),
)
SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"ranking": "mmr"},
    {"ranking": "expansion", "ner": "prompt"},
)


class Lengths:
    """A re-ranker that gives many texts the same score."""

    name = "lengths"
    languages = frozenset({"en", "zh"})

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        return np.asarray([len(text) % 7 / 7 for _, text in pairs], dtype=np.float32)


Case = tuple[str, str, str, dict[str, str], bool]


def cases() -> Iterator[Case]:
    for strategy in STRATEGIES:
        for question, language in QUESTIONS:
            for settings in SETTINGS if strategy == "kg-rank" else SETTINGS[:1]:
                for with_models in (False, True):
                    yield strategy, question, language, settings, with_models


def shown(graph: KnowledgeGraph, case: Case) -> str:
    """Everything of one retrieval but its times."""
    strategy, question, language, settings, with_models = case
    found = asked(
        strategy,
        question,
        graph,
        model=ScriptedModel(jobs=JOBS),
        encoder=WordEncoder(languages=("en", "zh")) if with_models else None,
        reranker=Lengths() if with_models else None,
        language=language,
        settings=settings,
        deadline=Deadline.after(600),
    )
    evidence = [(i.key, i.rank, i.origin, sorted(i.scores.items())) for i in found.evidence]
    linked = [(e.iri, e.how, [c.iri for c in e.candidates]) for e in found.entities]
    return repr((case, evidence, linked, found.chains_found, found.conflicts, found.problems))


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph") / "medical"
    import_source(folder, "starter")
    return folder


@pytest.fixture(scope="module")
def one_by_one(starter: Path) -> list[str]:
    graph = LocalGraph(starter)
    return [shown(graph, case) for case in cases()]


def test_twenty_questions_at_once_give_what_they_give_one_by_one(
    starter: Path, one_by_one: list[str]
) -> None:
    graph, every = LocalGraph(starter), list(cases())
    order = list(range(len(every)))
    Random(5).shuffle(order)
    with ThreadPoolExecutor(20) as threads:
        together = list(threads.map(lambda place: shown(graph, every[place]), order))
    assert together == [one_by_one[place] for place in order]
    assert any("'path'" in text for text in one_by_one)


def test_another_process_gives_the_same_evidence_in_the_same_order(
    starter: Path, one_by_one: list[str]
) -> None:
    code = (
        "import hashlib, sys; from pathlib import Path; from kg.local import LocalGraph;"
        "from tests.kg.strategies.test_bad_moments import cases, shown;"
        "graph = LocalGraph(Path(sys.argv[1]));"
        "[print(hashlib.sha256(shown(graph, one).encode()).hexdigest()) for one in cases()]"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(starter)],
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    own = [hashlib.sha256(text.encode()).hexdigest() for text in one_by_one]
    assert done.stdout.split() == own


EARLY = [
    ("kg-rank", ("terms", "draft", "mentions", "linking", "retrieval")),
    ("hykge", ("hypothesis", "mentions", "linking")),
    ("graph-rag", ("mentions", "linking", "retrieval")),
    ("query-expansion", ("mentions", "linking", "query expansion", "retrieval")),
    ("chain-of-note", ("mentions", "linking", "retrieval", "notes")),
    ("chain-of-knowledge", ("mentions", "linking", "steps", "retrieval", "correction")),
    ("auto", ("mentions", "linking", "hypothesis")),
]


@pytest.mark.parametrize(
    ("strategy", "stage"), [(strategy, stage) for strategy, stages in EARLY for stage in stages]
)
def test_stop_in_a_stage_that_reads_or_asks_ends_the_question(strategy: str, stage: str) -> None:
    heard: list[str] = []
    model = ScriptedModel(jobs=JOBS)
    settings = SETTINGS[2] if strategy == "kg-rank" else {}
    with pytest.raises(DeadlineExceeded) as stopped:
        asked(
            strategy,
            QUESTION,
            GRAPH,
            model=model,
            settings=settings,
            deadline=Deadline.after(60, lambda: stage in heard),
            on_stage=heard.append,
        )
    assert stage in heard and "\n" not in stopped.value.user_message
    before = heard[: heard.index(stage)]
    asking = ("terms", "draft", "hypothesis", "query expansion", "notes", "steps", "correction")
    assert len(model.asked) == sum(one in asking for one in before)  # none after Stop

"""A question whose graph is replaced meanwhile answers from the one that it began with."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.local import LocalGraph
from kg.sources import import_source
from tests.kg.strategies.asked import asked, texts
from tests.scripted_model import ScriptedModel

PREFIXES = (
    "@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    'e:treats rdfs:label "treats"@en . '
)
OLD = (
    'e:m rdfs:label "migraine"@en . e:s rdfs:label "sumatriptan"@en ; e:treats e:m . '
    'e:a rdfs:label "aura"@en ; e:treats e:m .'
)
NEW = (
    'e:m rdfs:label "measles {n}"@en . e:s rdfs:label "saline"@en ; e:treats e:m . '
    'e:a rdfs:label "air"@en ; e:treats e:m .'
)


def imported(folder: Path, turtle: str) -> Path:
    file = folder / "g.ttl"
    file.write_text(PREFIXES + turtle)
    import_source(folder / "graph", "rdf", [file], "source")
    return folder / "graph"


@pytest.mark.parametrize("strategy", ["kg-rank", "hykge", "graph-rag", "chain-of-knowledge"])
def test_every_stage_reads_the_same(tmp_path: Path, strategy: str) -> None:
    question = "Is sumatriptan linked with aura?"
    jobs = {
        "knowledge-steps": '["Sumatriptan is linked with aura."]',
        "knowledge-correction": "Both treat migraine.",
        "hypothesis": "Migraine joins them.",
    }
    graph = LocalGraph(imported(tmp_path, OLD))
    before = asked(strategy, question, graph, model=ScriptedModel(jobs=jobs))
    stages: list[str] = []

    def replaced(stage: str) -> None:
        stages.append(stage)
        imported(tmp_path, NEW.format(n=len(stages)))
        graph.reload_if_changed()  # as the next question does

    found = asked(strategy, question, graph, model=ScriptedModel(jobs=jobs), on_stage=replaced)
    assert {"mentions", "linking", "retrieval", "ranking"} <= set(stages)
    assert texts(found) == texts(before) and found.evidence
    assert (found.graph, found.entities) == (before.graph, before.entities)

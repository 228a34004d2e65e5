"""Facts that contradict each other, over two real sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.conflicts import conflicts_among
from kg.deadline import Deadline
from kg.local.disagreements import graph_conflicts
from tests.kg.conftest import MakeGraph
from tests.kg.strategies.asked import asked

NAMES = """
e:drug rdfs:label "betahistine"@en . e:vertigo rdfs:label "vertigo"@en .
e:other rdfs:label "nausea"@en .
"""


@pytest.mark.parametrize(
    ("said", "denied", "found"),
    [
        ("e:drug gc:treats e:vertigo", "e:drug gc:doesNotTreat e:vertigo", True),
        ("e:drug gc:relieves e:vertigo", "e:drug gc:isContraindicatedIn e:vertigo", True),
        ("e:drug gc:prevents e:vertigo", "e:drug gc:isContraindicatedIn e:vertigo", True),
        ("e:vertigo gc:hasPhenotype e:other", "e:vertigo gc:lacksPhenotype e:other", True),
        # the relations of other graphs, in either direction
        ("e:vertigo e:treatedWith e:drug", "e:drug e:contraindicatedIn e:vertigo", True),
        ("e:drug gc:treats e:vertigo", "e:drug gc:doesNotTreat e:other", False),
        ("e:drug gc:hasSideEffect e:vertigo", "e:drug gc:isContraindicatedIn e:vertigo", False),
        ("e:vertigo gc:hasSymptom e:other", "e:drug gc:doesNotTreat e:other", False),
        ("e:drug gc:treats e:vertigo", "e:drug gc:relieves e:vertigo", False),
    ],
)
def test_what_contradicts_what(
    make_graph: MakeGraph, soon: Deadline, said: str, denied: str, found: bool
) -> None:
    graph = make_graph(one=f"{NAMES} {said} .", two=f"{denied} .")
    both = [
        triple
        for iri in ("drug", "vertigo")
        for triple in graph.triples(f"http://example.org/{iri}", "en", soon).triples
    ]
    conflicts = conflicts_among(dict.fromkeys(both))
    assert bool(conflicts) is found
    for conflict in conflicts:
        assert [s.name for s in conflict.affirms.sources] == ["one"]
        assert [s.name for s in conflict.denies.sources] == ["two"]


def test_both_sides_of_a_conflict_are_among_the_evidence(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(
        one=NAMES + "e:drug gc:treats e:vertigo .",
        two="e:drug gc:doesNotTreat e:vertigo ."
        + "".join(f'e:m{n} rdfs:label "m{n}" ; gc:treats e:vertigo .' for n in range(30)),
    )
    found = asked("kg-rank", "What treats vertigo?", graph, deadline=soon, settings={"top": "3"})
    by_key = {item.key: item for item in found.evidence}
    told = [tuple(by_key[key].text for key in pair) for pair in found.conflicts]
    kept = {item.text for item in found.evidence}
    if "betahistine treats vertigo" in kept:
        assert told == [("betahistine treats vertigo", "betahistine is not indicated for vertigo")]
    found = asked("kg-rank", "Does betahistine treat vertigo?", graph, deadline=soon)
    by_key = {item.key: item for item in found.evidence}
    assert [tuple(by_key[key].text for key in pair) for pair in found.conflicts] == [
        ("betahistine treats vertigo", "betahistine is not indicated for vertigo")
    ]


def test_all_conflicts_of_a_graph(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(
        one=NAMES + "e:drug gc:treats e:vertigo , e:other . e:x gc:treats e:other .",
        two="e:drug gc:doesNotTreat e:vertigo . e:vertigo e:treatedWith e:drug .",
        three="e:drug gc:isContraindicatedIn e:vertigo . e:x gc:isContraindicatedIn e:vertigo .",
    )
    told = [
        (c.affirms.relation.label, c.denies.relation.label)
        for c in graph_conflicts(graph_folder, "en")
    ]
    assert sorted(told) == [
        ("treated with", "is contraindicated in"),
        ("treated with", "is not indicated for"),
        ("treats", "is contraindicated in"),
        ("treats", "is not indicated for"),
    ]

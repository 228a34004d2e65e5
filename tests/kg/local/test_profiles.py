"""Profiles from the arrays say what the facts themselves say."""

from __future__ import annotations

from pathlib import Path

from kg.deadline import Deadline
from kg.local.generations import current_generation
from kg.local.profiles import profiles_of
from kg.local.snapshot import Snapshot
from kg.profiles import Profile, profile_of_triples
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
FACTS = """
gc:treats rdfs:label "treats" . gc:hasSymptom rdfs:label "has symptom" .
e:drug gc:treats e:gout, e:ache ; rdfs:label "Drug" ; e:weight "5" .
e:gout gc:hasSymptom e:pain, e:heat ; rdfs:label "Gout" ; skos:exactMatch <http://other.org/gout> .
e:ache rdfs:label "Ache" .
"""


def test_profiles_say_what_the_facts_say(
    make_graph: MakeGraph, graph_folder: Path, soon: Deadline
) -> None:
    graph = make_graph(a=FACTS, b="<http://other.org/gout> gc:hasSymptom e:redness .")
    snapshot = Snapshot(current_generation(graph_folder), None)
    asked = [E + "gout", E + "drug", E + "ache"]
    profiles = profiles_of(snapshot, asked, soon)
    for iri in asked:
        triples = graph.triples(iri, "en", soon).triples
        expected = profile_of_triples(iri, triples, asked)
        assert profiles[iri].about == expected.about
        assert profiles[iri].joined == expected.joined
        for aspect in ("treatment", "symptom", "cause"):
            assert profiles[iri].straight([aspect]) is expected.straight([aspect])
            assert profiles[iri].touches([aspect]) is expected.touches([aspect])
    gout, drug = profiles[E + "gout"], profiles[E + "drug"]
    assert gout.straight(["symptom"]) and gout.straight(["treatment"]) and gout.about == 4
    assert drug.touches(["treatment"]) and not drug.straight(["treatment"])
    assert drug.joined == {E + "gout", E + "ache"} and profiles[E + "ache"].joined == {E + "drug"}


def test_unknown_entities_and_no_time(
    make_graph: MakeGraph, graph_folder: Path, soon: Deadline
) -> None:
    make_graph(a=FACTS)
    snapshot = Snapshot(current_generation(graph_folder), None)
    assert profiles_of(snapshot, [E + "nobody"], soon) == {E + "nobody": Profile()}
    late = profiles_of(snapshot, [E + "gout"], Deadline.after(-1))
    assert late == {E + "gout": Profile()}

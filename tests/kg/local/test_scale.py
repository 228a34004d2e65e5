"""The index of a generated graph with hubs holds what its file says, counted without it."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from kg.deadline import Deadline
from kg.local.generations import current_generation
from kg.local.graph import LocalGraph
from kg.local.snapshot import Snapshot
from kg.sources.importing import import_source

BENCH = Path(__file__).parents[3] / "bench" / "graphs"
TRIPLES, NAMES = 8_000, 1_200
_FACT = re.compile(r"<(\S+)> <(http://example\.org/relation/\S+)> <(\S+)> \.")
_NAME = re.compile(r'<(\S+)> <\S+#(?:label|altLabel)> "(.+)"@(\w+) \.')


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


generate = _load("generate")


@pytest.fixture(scope="module")
def triples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.nt.gz"
    generate.write_graph(path, generate.size_of(TRIPLES, NAMES))
    return path


@pytest.fixture(scope="module")
def home(triples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    report = import_source(folder, "rdf", [triples], name="generated")
    assert report.triples == len(_lines()) and report.skipped == 0
    return folder


def _lines() -> list[str]:
    text = "".join(generate.lines(generate.size_of(TRIPLES, NAMES)))
    return text.splitlines()


def _facts() -> Iterator[tuple[str, str, str]]:
    for line in _lines():
        if match := _FACT.fullmatch(line):
            yield match.group(1), match.group(2), match.group(3)


def test_no_statement_is_written_twice_and_the_same_options_write_the_same() -> None:
    assert len(set(_lines())) == len(_lines()) == pytest.approx(TRIPLES, rel=0.02)
    assert _lines() == _lines()


def test_a_few_entities_have_most_facts() -> None:
    degrees = Counter(end for fact in _facts() for end in (fact[0], fact[2]))
    total, most = sum(degrees.values()), degrees.most_common(len(degrees) // 20)
    assert most[0][1] > 20 * total / len(degrees)
    assert sum(count for _, count in most) > total / 5


def test_edges_are_those_of_the_file(home: Path) -> None:
    expected: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for fact in _facts():
        expected[fact[0]][fact] += 1
        expected[fact[2]][fact] += 1
    snapshot = Snapshot(current_generation(home), None)
    for iri, facts in expected.items():
        assert Counter(edge[1:] for edge in snapshot.edges(iri)) == facts
    degrees = {iri: sum(facts.values()) for iri, facts in expected.items()}
    assert snapshot.degrees(list(degrees)) == degrees


def test_a_cut_takes_so_many_of_each_direction(home: Path) -> None:
    out, into = Counter(fact[0] for fact in _facts()), Counter(fact[2] for fact in _facts())
    snapshot = Snapshot(current_generation(home), None)
    for iri, _ in into.most_common(5) + out.most_common(5):
        edges = list(snapshot.edges(iri, 10))
        assert len(edges) == min(10, out[iri]) + min(10, into[iri])
        assert set(edges) <= set(snapshot.edges(iri))


def test_every_name_leads_to_its_entity(home: Path) -> None:
    graph = LocalGraph(home)
    named = [match.groups() for line in _lines() if (match := _NAME.fullmatch(line))]
    sample = [row for row in named if "/obo/" in row[0]][::40]
    assert len(sample) > 25
    for iri, name, language in sample:
        found = graph.candidates(name, language, Deadline.after(60))
        assert iri in [candidate.iri for candidate in found], name


def test_a_hub_is_answered_with_all_its_facts(home: Path) -> None:
    hub, count = Counter(fact[2] for fact in _facts()).most_common(1)[0]
    found = LocalGraph(home).triples(hub, "en", Deadline.after(60))
    told = [one for one in found.triples if one.object.iri == hub]
    assert found.complete and len(told) == count

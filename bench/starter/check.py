"""Checks the starter graph against the public data it cites.

Every identifier must name the same thing in the data, every cross-reference and every reference
of a fact must be found there, and no stated treatment may be a PharmacotherapyDB non-indication.
What the entries hold (labels, counts) is the business of tests/kg/sources/test_starter.py.

    python bench/starter/check.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox
from public_data import PublicData, folded, read_public_data

STARTER = Path(__file__).parents[2] / "kg" / "sources" / "starter"
GC = "urn:graphcite:vocabulary:"
OBO, DRUGBANK = "http://purl.obolibrary.org/obo/", "https://go.drugbank.com/drugs/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SYNONYM = "http://www.w3.org/2004/02/skos/core#altLabel"
XREF = "http://www.geneontology.org/formats/oboInOwl#hasDbXref"
REIFIES = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"
REFERENCES = "http://purl.org/dc/terms/references"
UNCHECKED = ("RXNORM:",)  # no data here holds them
THERAPEUTIC = ("treats", "relieves", "prevents")

Fact = tuple[str, str, str]


@dataclass(slots=True)
class Starter:
    """The graph under test; entities are CURIEs as the data writes them."""

    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, str] = field(default_factory=dict)
    xrefs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    facts: set[Fact] = field(default_factory=set)
    references: list[tuple[Fact, str]] = field(default_factory=list)


def curie(node: object) -> str:
    """obo:DOID_1 as DOID:1, drugbank:DB1 as DB1, another IRI whole."""
    assert isinstance(node, ox.NamedNode), node
    if node.value.startswith(OBO):
        return node.value.removeprefix(OBO).replace("_", ":", 1)
    return node.value.removeprefix(DRUGBANK)


def read_starter() -> Starter:
    graph = Starter()
    stated: dict[object, Fact] = {}
    cited: list[tuple[object, str]] = []
    for path in sorted(STARTER.glob("*.ttl")):
        for quad in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE):
            value = quad.object
            if isinstance(value, ox.Triple):
                relation = value.predicate.value.removeprefix(GC)
                stated[quad.subject] = (curie(value.subject), relation, curie(value.object))
            elif quad.predicate.value == REFERENCES and isinstance(value, ox.Literal):
                cited.append((quad.subject, value.value))
            elif isinstance(quad.subject, ox.NamedNode):
                _add(graph, curie(quad.subject), quad.predicate.value, value)
    graph.references = sorted((stated[node], reference) for node, reference in cited)
    return graph


def _add(graph: Starter, entity: str, predicate: str, value: object) -> None:
    if isinstance(value, ox.Literal):
        if predicate in (LABEL, SYNONYM) and value.language == "en":
            graph.names[entity].add(folded(value.value))
        elif predicate == XREF:
            graph.xrefs[entity].add(value.value)
    elif isinstance(value, ox.NamedNode) and value.value.startswith(GC):
        graph.types[entity] = value.value.removeprefix(GC)
    elif predicate.startswith(GC):
        graph.facts.add((entity, predicate.removeprefix(GC), curie(value)))


def wrong_identifiers(graph: Starter, data: PublicData) -> Iterator[str]:
    for entity in sorted(graph.types):
        if entity.startswith("urn:"):
            continue
        if entity not in data.names:
            yield f"{entity} is not in the data"
        elif not data.names[entity] & graph.names[entity]:
            ours, theirs = sorted(graph.names[entity]), sorted(data.names[entity])[:6]
            yield f"{entity} is {theirs} in the data, {ours} here"


def wrong_xrefs(graph: Starter, data: PublicData) -> Iterator[str]:
    """A cross-reference is right when the entity's own source has it, or by its MeSH heading."""
    for entity in sorted(graph.xrefs):
        for xref in sorted(graph.xrefs[entity] - data.xrefs.get(entity, set())):
            if xref.startswith(UNCHECKED):
                continue
            names = graph.names[entity] | data.names.get(entity, set())
            if data.headings.get(xref.removeprefix("MESH:"), "") not in names:
                yield f"{entity}: {xref} is not in the data"


def wrong_references(graph: Starter, data: PublicData) -> Iterator[str]:
    for fact, reference in graph.references:
        if not _supports(graph, data, fact, reference):
            yield f"{reference} does not state {' '.join(fact)}"


def _supports(graph: Starter, data: PublicData, fact: Fact, reference: str) -> bool:
    subject, relation, value = fact
    source, _, rest = reference.partition(":")
    names = graph.names[value] | data.names.get(value, set())
    if source == "PharmacotherapyDB":
        curated = data.indications.get((value, subject)) in ("DM", "SYM")
        return relation in THERAPEUTIC and curated and rest == f"{value}-{subject}"
    if source == "SIDER":
        listed = data.side_effects.get((subject, rest), set())
        return relation == "hasSideEffect" and bool(listed & names)
    if source == "DOID":
        return reference == subject and bool(data.axioms.get(subject, set()) & names)
    if source in ("PMID", "OMIM", "ORPHA"):
        rare = data.rare.get(subject, set())
        return any(reference in data.phenotypes.get(f"{d} {value}", ()) for d in rare)
    return False


def treatments(graph: Starter, data: PublicData) -> dict[str, list[Fact]]:
    """Stated treatments by what PharmacotherapyDB says: DM, SYM, NOT, silent or out of scope."""
    diseases, drugs = ({pair[place] for pair in data.indications} for place in (0, 1))
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in sorted(graph.facts):
        medicine, relation, disease = fact
        if relation != "treats" or graph.types.get(medicine) != "Medicine":
            continue
        known = disease in diseases and medicine in drugs
        verdict = data.indications.get((disease, medicine), "silent" if known else "out of scope")
        found[verdict].append(fact)
    return found


def report(graph: Starter, data: PublicData) -> int:
    """Prints the findings; the number of errors."""
    errors = 0
    kinds = Counter(_kind(entity) for entity in graph.types)
    print("entities:", _counted(Counter(graph.types.values())))
    print("facts:", len(graph.facts), "—", _counted(Counter(fact[1] for fact in graph.facts)))
    print("identifiers:", _counted(kinds))
    for title, wrong in (
        ("identifiers that name something else", list(wrong_identifiers(graph, data))),
        ("cross-references not in the data", list(wrong_xrefs(graph, data))),
        ("references that do not state their fact", list(wrong_references(graph, data))),
    ):
        print(f"{title}: {len(wrong)}", *wrong, sep="\n  ")
        errors += len(wrong)
    xrefs = Counter(xref.split(":")[0] for its in graph.xrefs.values() for xref in its)
    print("cross-references:", _counted(xrefs), "— not checked:", *UNCHECKED)
    sources = Counter(reference.split(":")[0] for _, reference in graph.references)
    cited = len({fact for fact, _ in graph.references})
    print(f"facts with a reference: {cited}; references by source:", _counted(sources))
    found = treatments(graph, data)
    confirmed = len(found["DM"]) + len(found["SYM"])
    scope = confirmed + len(found["NOT"]) + len(found["silent"])
    print(
        f"medicine treats disease: {scope + len(found['out of scope'])} stated; PharmacotherapyDB "
        f"knows both sides of {scope} and confirms {confirmed} ({confirmed / max(scope, 1):.0%}), "
        f"is silent on {len(found['silent'])}, calls {len(found['NOT'])} no indication"
    )
    for medicine, _, disease in found["NOT"]:
        print(f"  NOT an indication: {medicine} for {disease}")
    return errors + len(found["NOT"])


def _kind(entity: str) -> str:
    """DOID, HP, UBERON, DrugBank, or starter for what no public source names."""
    if entity.startswith("urn:"):
        return "starter"
    return entity.split(":")[0] if ":" in entity else "DrugBank"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the starter graph against public data.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="shared data")
    folder = parser.parse_args().data
    if not (folder / "medical").is_dir():
        print(f"There is no medical data in {folder}: give its folder with --data.")
        return 2
    errors = report(read_starter(), read_public_data(folder))
    print("OK" if not errors else f"{errors} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

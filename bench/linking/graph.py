"""The graph that bench/linking measures on: MeSH, Disease Ontology and DrugBank in a scratch home.

    python bench/linking/graph.py HOME

The project's own importers read ../shared/data/medical; identity joins their ids. No source says
which medicine of DrugBank, or which symptom, is which heading of MeSH, so that a file of exact
matches is made here: those whose labels are the same and nobody else's.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from kg.local.claims import vocabulary_of
from kg.local.generations import current_generation, list_sources
from kg.local.rows import NameRow, name_rows
from kg.local.table import Table
from kg.sources import import_source
from kg.sources.curies import canonical
from kg.sources.statements import ImportOptions, SourceDetails
from kg.text import fold

MEDICAL = Path(__file__).parents[3] / "shared" / "data" / "medical"
TABLES = (
    ("mesh", "mesh"),
    ("disease-ontology", "disease_ontology_2026", "uberon/terms.tsv", "hpo_zh/hp-zh.babelon.tsv"),
    ("drugbank", "drugbank_2015"),
)
SLIMS = ("DO_rare_slim", "NCIthesaurus", "DO_cancer_slim", "DO_infectious_disease_slim")
MATCH = "<http://www.w3.org/2004/02/skos/core#exactMatch>"


def same_labels(folder: Path) -> list[str]:
    """Headings of MeSH and what other vocabularies call the same, as N-Triples.

    The label is that of one heading and of one entity of the other vocabulary: as it is written,
    capitals apart, or else as names are folded.
    """
    labels = [
        (vocabulary_of(canonical(one.iri)), one.iri, one.name)
        for source in list_sources(folder)
        for one in names_of(current_generation(folder) / "sources" / source.name)
        if one.kind == 0
    ]
    pairs: dict[str, str] = {}
    for spelled in (str.casefold, fold):
        by_label: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for vocabulary, iri, name in labels:
            by_label[spelled(name), vocabulary].add(iri)
        for (label, vocabulary), entities in sorted(by_label.items()):
            headings = by_label.get((label, "mesh"), set())
            if vocabulary != "mesh" and len(entities) == len(headings) == 1:
                pairs.setdefault(min(entities), min(headings))
    return [f"<{iri}> {MATCH} <{heading}> ." for iri, heading in sorted(pairs.items())]


def names_of(segment: Path) -> Iterator[NameRow]:
    table = Table(segment, "names")
    return name_rows(table.slice(0, len(table)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    home = parser.parse_args().home
    graph = home / "graphs" / "medical"
    for mapping, *paths in TABLES:
        import_source(graph, f"table:{mapping}", [MEDICAL / path for path in paths])
    ontology = MEDICAL / "disease_ontology_2026"
    import_source(
        graph,
        "obo",
        [ontology / f"{slim}.obo.gz" for slim in SLIMS],
        "disease-ontology-definitions",
        options=ImportOptions(details=SourceDetails(title="Disease Ontology", licence="CC0 1.0")),
    )
    matches = home / "same-labels.nt"
    matches.write_text("\n".join(same_labels(graph)) + "\n", encoding="utf-8")
    import_source(graph, "rdf", [matches], "same-labels")


if __name__ == "__main__":
    main()

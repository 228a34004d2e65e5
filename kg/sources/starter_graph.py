"""The starter graph that ships with Graphcite: every Turtle file of kg/sources/starter."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from kg.errors import BadInput
from kg.sources.rdf import RdfImporter

__all__ = ["StarterImporter"]


class StarterImporter(RdfImporter):
    """Reads the packaged files as any other RDF."""

    def __init__(self) -> None:
        folder = Path(str(files("kg.sources"))) / "starter"
        paths = sorted(folder.glob("*.ttl")) if folder.is_dir() else []
        if not paths:
            raise BadInput("This installation has no starter graph: install Graphcite again.")
        super().__init__(paths)

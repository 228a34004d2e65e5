"""One entry for every import: choose the importer, name the source, hand it to the loader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kg.errors import BadInput
from kg.local.loader import load_source
from kg.sources.files import default_name, input_files
from kg.sources.hpo import HpoImporter
from kg.sources.obo import OboImporter
from kg.sources.rdf import RdfImporter
from kg.sources.starter_graph import StarterImporter
from kg.sources.statements import Importer, ImportReport, Progress, checked_source_name

__all__ = ["KINDS", "import_source"]

KINDS = ("rdf", "obo", "hpo", "starter")


def import_source(
    graph_folder: Path,
    kind: str | None = None,
    paths: Sequence[Path] = (),
    name: str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Import files as one source; without `kind` it is guessed from the files.

    `hpo` and `starter` need no path. Raises BadInput, GraphBusy, GraphTooNew or KgError; the
    graph in use then stays as it was.
    """
    kind = kind or _guess(paths)
    if kind not in KINDS:
        raise BadInput(f"There is no kind of import {kind!r}. There are: {', '.join(KINDS)}.")
    importer = _importer(kind, paths)
    name = checked_source_name(name or _name(kind, paths))
    return load_source(graph_folder, name, importer, progress or _silent)


def _importer(kind: str, paths: Sequence[Path]) -> Importer:
    if kind == "starter":
        if paths:
            raise BadInput("The starter graph comes with Graphcite: give no path.")
        return StarterImporter()
    if kind == "hpo":
        return HpoImporter(paths)
    return OboImporter(paths) if kind == "obo" else RdfImporter(paths)


def _guess(paths: Sequence[Path]) -> str:
    if any((path / "phenotype.hpoa").is_file() for path in paths):
        return "hpo"
    formats = {file.format for file in input_files(paths)}
    if "hpoa" in formats:
        return "hpo"
    return "obo" if formats == {"obo"} else "rdf"


def _name(kind: str, paths: Sequence[Path]) -> str:
    if kind in ("hpo", "starter"):
        return kind
    return default_name(paths[0].absolute())


def _silent(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""

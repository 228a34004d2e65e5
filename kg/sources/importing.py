"""One entry for every import: choose the importer, name the source, hand it to the loader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kg.errors import BadInput
from kg.local.loader import load_source
from kg.sources.cmekg.importer import CmekgImporter, is_cmekg
from kg.sources.files import default_name, input_files
from kg.sources.hetionet import HetionetImporter, is_hetionet
from kg.sources.hpo.importer import HpoImporter
from kg.sources.obo.importer import OboImporter
from kg.sources.rdf.importer import RdfImporter
from kg.sources.starter_graph import StarterImporter
from kg.sources.statements import (
    Importer,
    ImportOptions,
    ImportReport,
    Progress,
    checked_source_name,
)
from kg.sources.tables.importer import TableImporter
from kg.sources.umls.importer import UmlsImporter, is_umls

__all__ = ["KINDS", "TABLE", "import_source"]

Make = Callable[[Sequence[Path], ImportOptions], Importer]
_IMPORTERS: dict[str, Make] = {
    "rdf": RdfImporter,
    "obo": lambda paths, options: OboImporter(paths),
    "hpo": lambda paths, options: HpoImporter(paths),
    "umls": UmlsImporter,
    "hetionet": lambda paths, options: HetionetImporter(paths),
    "cmekg": lambda paths, options: CmekgImporter(paths),
    "starter": lambda paths, options: StarterImporter(paths),
}
KINDS = tuple(_IMPORTERS)
TABLE = "table:"  # followed by the name of a mapping that we ship, or the path of one
# Kinds that are known by what lies in a folder or a file.
_RECOGNISED = {"umls": is_umls, "hetionet": is_hetionet, "cmekg": is_cmekg}


def import_source(
    graph_folder: Path,
    kind: str | None = None,
    paths: Sequence[Path] = (),
    name: str | None = None,
    progress: Progress | None = None,
    options: ImportOptions | None = None,
) -> ImportReport:
    """Import files as one source; without `kind` it is guessed from the files.

    `hpo` and `starter` need no path. Raises BadInput, GraphBusy, GraphTooNew or KgError; the
    graph in use then stays as it was.
    """
    options = options or ImportOptions()
    kind = kind or _guess(paths)
    importer = _importer(kind, paths, options)
    name = checked_source_name(name or _name(kind, paths))
    return load_source(graph_folder, name, importer, progress or _silent, options.details)


def _importer(kind: str, paths: Sequence[Path], options: ImportOptions) -> Importer:
    if kind.startswith(TABLE):
        return TableImporter(kind.removeprefix(TABLE), paths)
    if kind not in _IMPORTERS:
        known = ", ".join((*KINDS, f"{TABLE}MAPPING"))
        raise BadInput(f"There is no kind of import {kind!r}. There are: {known}.")
    return _IMPORTERS[kind](paths, options)


def _guess(paths: Sequence[Path]) -> str:
    for kind, recognises in _RECOGNISED.items():
        if any(recognises(path) for path in paths):
            return kind
    if any((path / "phenotype.hpoa").is_file() for path in paths):
        return "hpo"
    formats = {file.format for file in input_files(paths)}
    if "hpoa" in formats:
        return "hpo"
    return "obo" if formats == {"obo"} else "rdf"


def _name(kind: str, paths: Sequence[Path]) -> str:
    if kind.startswith(TABLE):
        return Path(kind.removeprefix(TABLE)).stem
    if kind in ("rdf", "obo"):
        return default_name(paths[0].absolute())
    return kind


def _silent(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""

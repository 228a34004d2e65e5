"""Hetionet as its repository ships it: hetionet-v1.0-nodes.tsv and hetionet-v1.0-edges.sif.gz.

Nodes become those of the vocabularies that name them (DOID, DrugBank, Entrez Gene …). Edges have
no references in these files: where one data set made all edges of a kind, or they were inferred,
the fact says so (after describe/definitions.json of the repository).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode

from kg.errors import BadInput
from kg.sources.curies import iri_of_curie
from kg.sources.lines import LineFile
from kg.sources.statements import Progress, Skipped, SourceDetails, Statement
from kg.sources.vocabulary import ASPECT, GC, RDF_TYPE, RDFS_LABEL, vocabulary_statements

__all__ = ["HetionetImporter", "is_hetionet"]

_EVERY = 20_000
_FILE = re.compile(r"hetionet-(v[\d.]*\d)-(nodes\.tsv|edges\.sif)(\.gz)?", re.IGNORECASE)
_NODES, _EDGES = "nodes.tsv", "edges.sif"
_FOLDERS = (".", "tsv", "hetnet/tsv")  # a clone of the repository, too
_HEADINGS = {_NODES: ["id", "name", "kind"], _EDGES: ["source", "metaedge", "target"]}
_LICENCE = (
    "CC0 1.0; what comes from other resources keeps their licences, "
    "some non-commercial (SIDER: CC BY-NC-SA 4.0)"
)
_DATES = {"v1.0": "2017"}
OWN = "urn:graphcite:hetionet:"
_TYPE, _LABEL = NamedNode(RDF_TYPE), NamedNode(RDFS_LABEL)


class _Kind(NamedTuple):
    """A kind of node: its type, what its identifiers look like, and the IRI before them."""

    type: str
    pattern: re.Pattern[str]
    prefix: str
    language: str | None = "en"


def _kind(type_: str, pattern: str, prefix: str, language: str | None = "en") -> _Kind:
    return _Kind(type_, re.compile(pattern), prefix, language)


def _before(curie: str) -> str:
    """The IRI of a vocabulary up to where the identifier begins."""
    local = curie.partition(":")[2]
    return iri_of_curie(curie).removesuffix(local)


_OBO = "http://purl.obolibrary.org/obo/"
_KINDS = {
    "Anatomy": _kind("BodyPart", r"UBERON:\d{7}", _OBO),
    "Biological Process": _kind("BiologicalProcess", r"GO:\d{7}", _OBO),
    "Cellular Component": _kind("CellularComponent", r"GO:\d{7}", _OBO),
    "Compound": _kind("Medicine", r"DB\d{5}", _before("DrugBank:DB00001")),
    "Disease": _kind("Disease", r"DOID:\d+", _OBO),
    # A gene's name is its symbol, which is no word of a language.
    "Gene": _kind("Gene", r"\d+", _before("NCBIGene:1"), None),
    "Molecular Function": _kind("MolecularFunction", r"GO:\d{7}", _OBO),
    "Pathway": _kind("Pathway", r"(?:PC7|WP)\w+", f"{OWN}pathway:"),
    "Pharmacologic Class": _kind(
        "MedicineClass", r"N\d{10}", "http://purl.bioontology.org/ontology/NDFRT/"
    ),
    "Side Effect": _kind("Symptom", r"C\d{7}", _before("UMLS:C0000001")),
    "Symptom": _kind("Symptom", r"[A-Z]\d+", _before("MESH:D000001")),
}


class _Edge(NamedTuple):
    """A kind of edge: the kinds of its ends, its relation, and what is noted on its facts."""

    source: str
    target: str
    relation: NamedNode
    labels: tuple[str, str, str] | None  # English, Chinese, aspect; None for a relation of ours
    references: tuple[str, ...] = ()
    qualifiers: tuple[tuple[str, str], ...] = ()


def _ours(source: str, target: str, relation: str, reference: str = "") -> _Edge:
    references = (reference,) if reference else ()
    return _Edge(source, target, NamedNode(GC + relation), None, references)


_INFERRED = (("evidence", "co-occurrence in MEDLINE abstracts"),)
_OURS = {
    "CtD": _ours("Compound", "Disease", "treats", "PharmacotherapyDB"),
    "CpD": _ours("Compound", "Disease", "relieves", "PharmacotherapyDB"),
    "CcSE": _ours("Compound", "Side Effect", "hasSideEffect", "SIDER 4.1"),
    "DlA": _ours("Disease", "Anatomy", "affects")._replace(qualifiers=_INFERRED),
    "DpS": _ours("Disease", "Symptom", "hasSymptom")._replace(qualifiers=_INFERRED),
    "DaG": _ours("Disease", "Gene", "isAssociatedWithGene"),
}
# Metaedge | ends | English | Chinese | aspect
_OTHERS = """
CrC | Compound, Compound | chemically resembles | 化学结构相似于 | classification
CbG | Compound, Gene | binds | 结合 | other
CuG | Compound, Gene | upregulates | 上调 | other
CdG | Compound, Gene | downregulates | 下调 | other
DrD | Disease, Disease | resembles | 相似于 | classification
DuG | Disease, Gene | upregulates | 上调 | inheritance
DdG | Disease, Gene | downregulates | 下调 | inheritance
AeG | Anatomy, Gene | expresses | 表达 | anatomy
AuG | Anatomy, Gene | upregulates | 上调 | anatomy
AdG | Anatomy, Gene | downregulates | 下调 | anatomy
GiG | Gene, Gene | interacts with | 与之相互作用 | other
Gr>G | Gene, Gene | regulates | 调控 | other
GcG | Gene, Gene | covaries with | 与之共变 | other
GpBP | Gene, Biological Process | participates in | 参与 | other
GpCC | Gene, Cellular Component | participates in | 参与 | other
GpMF | Gene, Molecular Function | participates in | 参与 | other
GpPW | Gene, Pathway | participates in | 参与 | other
PCiC | Pharmacologic Class, Compound | includes | 包括 | classification
"""


def _others() -> Iterator[tuple[str, _Edge]]:
    for line in _OTHERS.strip().splitlines():
        name, ends, english, chinese, aspect = line.split(" | ")
        source, target = ends.split(", ")
        node = NamedNode(OWN + quote(name, safe=""))
        yield name, _Edge(source, target, node, (english, chinese, aspect))


_METAEDGES = _OURS | dict(_others())
_METAEDGES["DrD"] = _METAEDGES["DrD"]._replace(qualifiers=_INFERRED)
_METAEDGES["PCiC"] = _METAEDGES["PCiC"]._replace(references=("DrugCentral",))


class HetionetImporter:
    """Reads the nodes, then the edges between them."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.details = SourceDetails()
        self.skipped = Skipped()
        self.repaired = Skipped()
        self._files = _find(paths)
        self.inputs = list(self._files.values())
        self.settings = ""
        # Identifier of each node → its kind and IRI.
        self._known: dict[str, tuple[str, NamedNode]] = {}

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """Vocabulary, nodes, edges."""
        self._describe()
        yield from _vocabulary()
        done = 0
        for stage, statements in (("nodes", self._nodes()), ("edges", self._edges())):
            for statement in statements:
                done += 1
                if done % _EVERY == 0:
                    progress(f"reading {stage}", done, None)
                yield statement
        progress("reading", done, done)

    def _describe(self) -> None:
        details, match = self.details, _FILE.fullmatch(self._files[_NODES].name)
        version = match[1].lower() if match else None
        details.title = details.title or "Hetionet"
        details.version = details.version or version
        details.licence = details.licence or _LICENCE
        details.date = details.date or _DATES.get(version or "")
        details.homepage = details.homepage or "https://het.io"

    def _nodes(self) -> Iterator[Statement]:
        for place, (identifier, name, kind) in self._rows(_NODES):
            known = _KINDS.get(kind)
            before, _, local = identifier.partition("::")
            if known is None:
                self.skipped.add(f"{place}: unknown kind of node {kind!r}")
            elif before != kind or not known.pattern.fullmatch(local) or not name.strip():
                self.skipped.add(
                    f"{place}: {identifier!r} is no identifier of a {kind} with a name"
                )
            elif identifier in self._known:
                self.skipped.add(f"{place}: {identifier} stands there twice")
            else:
                end = local.replace(":", "_") if known.prefix == _OBO else local
                node = NamedNode(known.prefix + end)
                self._known[identifier] = kind, node
                yield Statement(node, _TYPE, NamedNode(GC + known.type))
                yield Statement(node, _LABEL, Literal(name.strip(), language=known.language))
        if not self._known:
            raise BadInput(f"{self._files[_NODES].name} holds no node of Hetionet.")

    def _edges(self) -> Iterator[Statement]:
        for place, (source, metaedge, target) in self._rows(_EDGES):
            edge = _METAEDGES.get(metaedge)
            if edge is None:
                self.skipped.add(f"{place}: unknown metaedge {metaedge!r}")
                continue
            source_kind, subject = self._known.get(source, (None, _TYPE))
            target_kind, value = self._known.get(target, (None, _TYPE))
            if source_kind is None or target_kind is None:
                missing = source if source_kind is None else target
                self.skipped.add(f"{place}: {missing!r} is not among the nodes")
            elif (source_kind, target_kind) != (edge.source, edge.target):
                self.skipped.add(f"{place}: {metaedge} from {source} to {target}")
            else:
                yield Statement(subject, edge.relation, value, edge.references, edge.qualifiers)

    def _rows(self, which: str) -> Iterator[tuple[str, list[str]]]:
        """Rows of three columns with their place in words; headings are no rows."""
        file = LineFile([self._files[which]], self.skipped)
        for number, line in file.lines():
            row = line.split("\t")
            place = f"{file.label}, line {number}"
            if len(row) == 3:
                if row != _HEADINGS[which]:
                    yield place, row
            elif line:
                self.skipped.add(f"{place}: {len(row)} columns instead of 3")


def _vocabulary() -> Iterator[Statement]:
    types = dict.fromkeys(GC + kind.type for kind in _KINDS.values())
    ours = [edge.relation.value for edge in _METAEDGES.values() if edge.labels is None]
    yield from vocabulary_statements([*types, *ours])
    for edge in _METAEDGES.values():
        if edge.labels is not None:
            english, chinese, aspect = edge.labels
            yield Statement(edge.relation, _LABEL, Literal(english, language="en"))
            yield Statement(edge.relation, _LABEL, Literal(chinese, language="zh"))
            yield Statement(edge.relation, NamedNode(ASPECT), Literal(aspect))


def _files(paths: Sequence[Path]) -> dict[str, Path]:
    """The nodes and the edges among these files and in these folders; unpacked ones go first."""
    inside = [
        file
        for path in paths
        if path.is_dir()
        for folder in _FOLDERS
        if (path / folder).is_dir()
        for file in sorted((path / folder).iterdir())
    ]
    found: dict[str, Path] = {}
    for file in [*(path for path in paths if not path.is_dir()), *inside]:
        if match := _FILE.fullmatch(file.name):
            found.setdefault(match[2].lower(), file)
    return found


def _find(paths: Sequence[Path]) -> dict[str, Path]:
    files = _files(paths)
    for which, other in ((_NODES, _EDGES), (_EDGES, _NODES)):
        if which not in files:
            where = ", ".join(map(str, paths)) or "no path"
            ending = ".gz" if which == _EDGES else ""
            raise BadInput(
                f"There is no hetionet-v1.0-{which}{ending} in {where}: Hetionet needs it "
                f"beside hetionet-v1.0-{other}{'' if ending else '.gz'}."
            )
    return files


def is_hetionet(path: Path) -> bool:
    """Whether this is a file of Hetionet, or a folder with one, by name."""
    return path.exists() and bool(_files([path]))

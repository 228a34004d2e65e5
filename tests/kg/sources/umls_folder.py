"""A Metathesaurus folder of some fifteen concepts in the exact format; identifiers are invented."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import Literal, NamedNode

from kg.sources.statements import ImportOptions, Statement
from kg.sources.umls.importer import UmlsImporter

CUI = "https://uts.nlm.nih.gov/uts/umls/concept/"
GC = "urn:graphcite:vocabulary:"
UMLS = "urn:graphcite:umls:"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
EXACT = "http://www.w3.org/2004/02/skos/core#altLabel"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
LOOSE = OBO_IN_OWL + "hasRelatedSynonym"
XREF = OBO_IN_OWL + "hasDbXref"
RETIRED = OBO_IN_OWL + "hasAlternativeId"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
IS_A = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
DESCRIPTION = "http://purl.org/dc/terms/description"
DEFINITION = "http://www.w3.org/2004/02/skos/core#definition"
RELATED = "http://www.w3.org/2004/02/skos/core#related"
ASPECT = GC + "aspect"

MIGRAINE, SUMATRIPTAN, HEADACHE, HEAD = "C9000001", "C9000002", "C9000003", "C9000004"
PRIMARY, CORONARY, AGONISTS, AURA = "C9000005", "C9000006", "C9000007", "C9000008"
GENE, TABLET, DIARY, OLD, CHINESE = "C9000009", "C9000010", "C9000011", "C9000012", "C9000013"
PROPRANOLOL, VOCABULARY, LOCAL = "C9000014", "C9000015", "CL123456"


def conso(concept: str, name: str, source: str, kind: str = "", tag: str = "ENG") -> str:
    """A row of MRCONSO. `source` is SAB/TTY/CODE, `kind` TS/STT/ISPREF/SUPPRESS, all optional."""
    vocabulary, term_type, code = (source + "//").split("/")[:3]
    status, form, preferred, suppress = (part or usual for part, usual in _parts(kind))
    return (
        f"{concept}|{tag}|{status}|L1|{form}|S1|{preferred}|A1|U1|M1|D1|{vocabulary}|{term_type}|"
        f"{code}|{name}|0|{suppress}|256|"
    )


def _parts(kind: str) -> Iterable[tuple[str, str]]:
    return zip((kind + "////").split("/")[:4], ("S", "PF", "N", "N"), strict=True)


def rel(
    first: str, rel: str, second: str, rela: str = "", vocabulary: str = "MSH", suppress: str = "N"
) -> str:
    """A row of MRREL: the second concept is `rela` (else `rel`) of the first."""
    return (
        f"{first}|A1|AUI|{rel}|{second}|A2|AUI|{rela}|R1||{vocabulary}|{vocabulary}|||{suppress}||"
    )


def definition(concept: str, vocabulary: str, text: str, suppress: str = "N") -> str:
    return f"{concept}|A1|AT1||{vocabulary}|{text}|{suppress}||"


BEST = "P/PF/Y"
NAMES = [
    conso(MIGRAINE, "Migraine", "SNOMEDCT_US/PT/37796009"),
    conso(MIGRAINE, "Migraine (disorder)", "SNOMEDCT_US/FN/37796009"),
    conso(MIGRAINE, "Migraine Disorders", "MSH/MH/D008881", BEST),
    conso(MIGRAINE, "MIGRAINE DISORDERS", "NCI/SY/C89715"),
    conso(MIGRAINE, "Disorder, Migraine", "MSH/PM/D008881"),
    conso(MIGRAINE, "MIG", "NCI/AB/C89715"),
    conso(MIGRAINE, "migraine", "HPO/PT/HP:0002076"),
    conso(MIGRAINE, "Sick headache", "CHV/SY/0000008"),
    conso(MIGRAINE, "Hemicrania, old form", "SNOMEDCT_US/PT/1", "P/PF/Y/O"),
    conso(MIGRAINE, "Megrim", "SNOMEDCT_US/SY/1", "///E"),
    conso(MIGRAINE, "MIGR", "ICD10CM/AB/G43", "///Y"),
    conso(MIGRAINE, "偏头痛", "CHITERMS/PT/1", BEST, "CHI"),
    conso(MIGRAINE, "偏头痛病", "CHITERMS/SY/1", "", "CHI"),
    conso(MIGRAINE, "Trastornos Migrañosos", "MSHSPA/MH/D008881", BEST, "SPA"),
    conso(SUMATRIPTAN, "sumatriptan", "RXNORM/IN/37418", BEST),
    conso(SUMATRIPTAN, "Sumatriptan", "DRUGBANK/IN/DB00669"),
    conso(SUMATRIPTAN, '"Imigran" and others', "NCI/SY/C1"),
    conso(SUMATRIPTAN, 'tablet of 5" width', "NCI/SY/C1"),
    conso(HEADACHE, "Headache", "MSH/MH/D006261", BEST),
    conso(HEADACHE, "Pain in the head", "MSH/ET/D006261"),
    conso(HEADACHE, "头痛", "CHITERMS/PT/2", BEST, "CHI"),
    conso(HEAD, "Head", "FMA/PT/7154", BEST),
    conso(PRIMARY, "Headache Disorders, Primary", "MSH/MH/D051270", BEST),
    conso(PRIMARY, "Vascular Headache Entry", "MSH/ET/D051270"),
    conso(CORONARY, "Coronary artery disease", "SNOMEDCT_US/PT/53741008", BEST),
    conso(AGONISTS, "Serotonin 1b Receptor Agonists", "MED-RT/PT/N0000175765", BEST),
    conso(AURA, "Aura", "SNOMEDCT_US/PT/18618006", BEST),
    conso(GENE, "KCNK18 gene", "HGNC/PT/HGNC:19439", BEST),
    conso(GENE, "TRIK", "HGNC/SYN/HGNC:19439"),
    conso(TABLET, "sumatriptan 50 MG Oral Tablet", "RXNORM/SCD/313161", BEST),
    conso(DIARY, "Headache diary", "NCI/PT/C2", BEST),
    conso(OLD, "Withdrawn idea", "SNOMEDCT_US/OAP/9", "P/PF/Y/O"),
    conso(CHINESE, "只有中文名", "CHITERMS/PT/3", BEST, "CHI"),
    conso(PROPRANOLOL, "Propranolol", "MSH/MH/D011433", BEST),
    conso(VOCABULARY, "Medical Subject Headings, 2025", "SRC/VPT/V-MSH", BEST),
    conso(LOCAL, "Local concept", "NCI/PT/C3", BEST),
]
TYPES = [
    f"{MIGRAINE}|T047|B2.2.1.2.1|Disease or Syndrome|AT1||",
    f"{SUMATRIPTAN}|T109|A1.4.1.2.1|Organic Chemical|AT2|256|",
    f"{SUMATRIPTAN}|T121|A1.4.1.1.1|Pharmacologic Substance|AT3|256|",
    f"{HEADACHE}|T184|A2.2.2|Sign or Symptom|AT4||",
    f"{HEAD}|T029|A2.1.5.2|Body Location or Region|AT5||",
    f"{GENE}|T028|A1.2.3.5|Gene or Genome|AT6||",
    f"{TABLET}|T200|A1.3.3|Clinical Drug|AT7||",
    f"{DIARY}|T170|A2.4|Intellectual Product|AT8||",
    f"{OLD}|T078|A2.1|Idea or Concept|AT9||",
]
DEFINITIONS = [
    definition(MIGRAINE, "CSP", "Definition of CSP."),
    definition(MIGRAINE, "HPO", "Definition of HPO."),
    definition(MIGRAINE, "MSH", "Definition of MSH, taken back.", "O"),
    definition(MIGRAINE, "MSHSPA", "Definición en español."),
    definition(MIGRAINE, "NCI", "Definition of NCI."),
    definition(SUMATRIPTAN, "AAA", "Definition of a vocabulary without preference."),
    definition(SUMATRIPTAN, "MSH", "Definition of MSH."),
    definition(OLD, "MSH", "Of no interest."),
]
# What the second concept is to the first: each fact stands both ways, as NLM ships it.
BOTH_WAYS = [
    rel(MIGRAINE, "RO", SUMATRIPTAN, "may_treat", "MED-RT"),
    rel(SUMATRIPTAN, "RO", MIGRAINE, "may_be_treated_by", "MED-RT"),
    rel(MIGRAINE, "RO", PROPRANOLOL, "may_prevent", "MED-RT"),
    rel(PROPRANOLOL, "RO", MIGRAINE, "may_be_prevented_by", "MED-RT"),
    rel(CORONARY, "RO", SUMATRIPTAN, "contraindicated_with_disease", "MED-RT"),
    rel(SUMATRIPTAN, "RO", CORONARY, "has_contraindicated_drug", "MED-RT"),
    rel(MIGRAINE, "PAR", PRIMARY, "", "MSH"),
    rel(PRIMARY, "CHD", MIGRAINE, "", "MSH"),
    rel(MIGRAINE, "PAR", PRIMARY, "inverse_isa", "SNOMEDCT_US"),
    rel(PRIMARY, "CHD", MIGRAINE, "isa", "SNOMEDCT_US"),
    rel(AURA, "RB", HEADACHE, "", "CHV"),
    rel(HEADACHE, "RN", AURA, "", "CHV"),
    rel(HEADACHE, "RO", HEAD, "finding_site_of", "SNOMEDCT_US"),
    rel(HEAD, "RO", HEADACHE, "has_finding_site", "SNOMEDCT_US"),
    rel(MIGRAINE, "RO", AURA, "may_be_finding_of_disease", "NCI"),
    rel(AURA, "RO", MIGRAINE, "disease_may_have_finding", "NCI"),
    rel(MIGRAINE, "RO", GENE, "gene_associated_with_disease", "NCI"),
    rel(GENE, "RO", MIGRAINE, "disease_has_associated_gene", "NCI"),
    rel(SUMATRIPTAN, "RO", TABLET, "has_ingredient", "RXNORM"),
    rel(TABLET, "RO", SUMATRIPTAN, "ingredient_of", "RXNORM"),
    rel(AGONISTS, "RO", SUMATRIPTAN, "has_mechanism_of_action", "MED-RT"),
    rel(SUMATRIPTAN, "RO", AGONISTS, "mechanism_of_action_of", "MED-RT"),
    rel(MIGRAINE, "RO", HEADACHE, "", "MSH"),
    rel(HEADACHE, "RO", MIGRAINE, "", "MSH"),
    rel(MIGRAINE, "RO", CORONARY, "associated_with", "SNOMEDCT_US"),
    rel(CORONARY, "RO", MIGRAINE, "associated_with", "SNOMEDCT_US"),
    rel(AURA, "RO", DIARY, "Records_Value", "NCI"),
    rel(DIARY, "RO", AURA, "Value_Recorded_By", "NCI"),
]
FACTS = {
    (SUMATRIPTAN, GC + "mayTreat", MIGRAINE): ("MED-RT",),
    (PROPRANOLOL, GC + "mayPrevent", MIGRAINE): ("MED-RT",),
    (SUMATRIPTAN, GC + "isContraindicatedIn", CORONARY): ("MED-RT",),
    (MIGRAINE, IS_A, PRIMARY): ("MSH", "SNOMEDCT_US"),
    (AURA, IS_A, HEADACHE): ("CHV",),
    (HEADACHE, UMLS + "has_finding_site", HEAD): ("SNOMEDCT_US",),
    (MIGRAINE, UMLS + "disease_may_have_finding", AURA): ("NCI",),
    (MIGRAINE, GC + "isAssociatedWithGene", GENE): ("NCI",),
    (TABLET, UMLS + "has_ingredient", SUMATRIPTAN): ("RXNORM",),
    (SUMATRIPTAN, UMLS + "has_mechanism_of_action", AGONISTS): ("MED-RT",),
    (MIGRAINE, RELATED, HEADACHE): ("MSH",),
    (MIGRAINE, UMLS + "associated_with", CORONARY): ("SNOMEDCT_US",),
    (DIARY, UMLS + "Records_Value", AURA): ("NCI",),
}
NO_FACTS = [
    rel(MIGRAINE, "SY", MIGRAINE, "has_permuted_term", "MSH"),
    rel(MIGRAINE, "RO", MIGRAINE, "may_treat", "MED-RT"),
    rel(MIGRAINE, "SIB", HEADACHE, "", "MSH"),
    rel(MIGRAINE, "AQ", DIARY, "", "MSH"),
    rel(DIARY, "QB", MIGRAINE, "", "MSH"),
    rel(MIGRAINE, "XR", HEAD, "", "MTH"),
    rel(MIGRAINE, "RO", HEADACHE, "mapped_to", "SNOMEDCT_US"),
    rel(HEADACHE, "RO", OLD, "may_treat", "MED-RT"),
    rel(HEADACHE, "RO", "C9999999", "may_treat", "MED-RT"),
    rel(HEADACHE, "RO", PROPRANOLOL, "may_treat", "MED-RT", "O"),
]
GENES = [
    f"{GENE}|||A1|AUI|HGNC:19439|AT1||ENTREZGENE_ID|HGNC|338567|N||",
    f"{GENE}|||A1|AUI|HGNC:19439|AT1||CHROMOSOME|HGNC|10q25.3|N||",
    f"{HEAD}|||A1|AUI|7154|AT2||ENTREZGENE_ID|FMA|1|N||",
]
MERGED = [
    f"C9000901|2001AB|SY|||{MIGRAINE}|Y|",
    f"C9000901|2002AA|SY|||{MIGRAINE}|Y|",
    f"C9000902|2001AB|RB|||{MIGRAINE}|Y|",
    "C9000903|2001AB|DEL|||||",
]
DOCUMENTED = [
    "RELA|Records_Value|expanded_form|Records value|",
    "RELA|Records_Value|rela_inverse|Value_Recorded_By|",
    "RELA|Value_Recorded_By|rela_inverse|Records_Value|",
    "RELEASE|umls.release.name|release_info|2025AB|",
    "RELEASE|umls.release.date|release_info|20251103|",
]
TABLES = {
    "MRCONSO": NAMES, "MRREL": sorted(BOTH_WAYS + NO_FACTS), "MRDEF": DEFINITIONS, "MRSTY": TYPES,
    "MRSAT": GENES, "MRCUI": MERGED, "MRDOC": DOCUMENTED,
}  # fmt: skip


def write(folder: Path, **changed: list[str]) -> Path:
    """A Metathesaurus folder; a table that is given replaces ours, an empty one is not written."""
    folder.mkdir(parents=True, exist_ok=True)
    for table, rows in (TABLES | changed).items():
        if rows:
            (folder / f"{table}.RRF").write_text("".join(f"{row}\n" for row in rows), "utf-8")
    return folder


def importer_of(*paths: Path, **options: object) -> UmlsImporter:
    return UmlsImporter(paths, ImportOptions(**options))  # type: ignore[arg-type]


def read(*paths: Path, **options: object) -> list[Statement]:
    return list(importer_of(*paths, **options).statements(lambda *_: None))


def names(statements: Iterable[Statement], concept: str) -> set[tuple[str, str, str | None]]:
    kinds = {LABEL: "label", EXACT: "exact", LOOSE: "loose"}
    return {
        (kinds[s.predicate.value], s.object.value, s.object.language)
        for s in statements
        if s.predicate.value in kinds and s.subject == NamedNode(CUI + concept)
        if isinstance(s.object, Literal)
    }


def values(statements: Iterable[Statement], concept: str, predicate: str) -> list[str]:
    return sorted(
        str(s.object.value)
        for s in statements
        if (s.subject.value, s.predicate.value) == (CUI + concept, predicate)
    )


def facts(statements: Iterable[Statement]) -> list[tuple[tuple[str, str, str], tuple[str, ...]]]:
    """Facts between concepts, with their references, as often as they are stated."""
    return sorted(
        ((s.subject.value[len(CUI) :], s.predicate.value, s.object.value[len(CUI) :]), s.references)
        for s in statements
        if s.subject.value.startswith(CUI) and str(s.object.value).startswith(CUI)
    )

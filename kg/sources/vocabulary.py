"""What the properties of a graph mean to Graphcite: names, identifiers, bookkeeping, relations.

Also our own vocabulary `gc:` (urn:graphcite:vocabulary:): the relations and types that importers
use, with their labels in English and Chinese and the aspect of each relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pyoxigraph import Literal, NamedNode

from kg.sources.statements import Statement

__all__ = [
    "ASPECT",
    "DENIES",
    "DESCRIPTION_PROPERTIES",
    "GC",
    "IDENTIFIER_PROPERTIES",
    "LABEL_PROPERTIES",
    "RDF_TYPE",
    "RELATIONS",
    "REFERENCE_PROPERTIES",
    "SUBCLASS_OF",
    "SYNONYM_PROPERTIES",
    "TYPES",
    "UNSHOWN_TYPES",
    "is_evidence",
    "vocabulary_statements",
]

GC = "urn:graphcite:vocabulary:"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
DC = "http://purl.org/dc/elements/1.1/"
FOAF = "http://xmlns.com/foaf/0.1/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
OBO = "http://purl.obolibrary.org/obo/"
SCHEMAS = ("https://schema.org/", "http://schema.org/")
PROV = "http://www.w3.org/ns/prov#"
CITO = "http://purl.org/spar/cito/"
VOID = "http://rdfs.org/ns/void#"
DCAT = "http://www.w3.org/ns/dcat#"
PAV = "http://purl.org/pav/"

RDF_TYPE = RDF + "type"
RDFS_LABEL = RDFS + "label"
SUBCLASS_OF = RDFS + "subClassOf"
ASPECT = GC + "aspect"
# What a synonym is worth: 1 an exact one, 2 a related, narrower or broader one (0 is a label).
EXACT, LOOSE = 1, 2

# In order of preference within one language.
LABEL_PROPERTIES: tuple[str, ...] = (
    SKOS + "prefLabel",
    RDFS_LABEL,
    *(schema + "name" for schema in SCHEMAS),
    FOAF + "name",
    DCTERMS + "title",
    DC + "title",
)
SYNONYM_PROPERTIES: dict[str, int] = {
    SKOS + "altLabel": EXACT,
    SKOS + "hiddenLabel": LOOSE,
    OBO_IN_OWL + "hasExactSynonym": EXACT,
    OBO_IN_OWL + "hasRelatedSynonym": LOOSE,
    OBO_IN_OWL + "hasNarrowSynonym": LOOSE,
    OBO_IN_OWL + "hasBroadSynonym": LOOSE,
    **{schema + "alternateName": EXACT for schema in SCHEMAS},
}
DESCRIPTION_PROPERTIES: tuple[str, ...] = (
    DCTERMS + "description",
    SKOS + "definition",
    OBO + "IAO_0000115",
    *(schema + "description" for schema in SCHEMAS),
    DC + "description",
    RDFS + "comment",
)
IDENTIFIER_PROPERTIES: frozenset[str] = frozenset(
    {
        OBO_IN_OWL + "hasDbXref",
        OBO_IN_OWL + "id",
        OBO_IN_OWL + "hasAlternativeId",
        OWL + "sameAs",
        DCTERMS + "identifier",
        DC + "identifier",
        SKOS + "notation",
        *(SKOS + f"{kind}Match" for kind in ("exact", "close", "narrow", "broad", "related")),
        *(schema + "identifier" for schema in SCHEMAS),
        *(schema + "sameAs" for schema in SCHEMAS),
    }
)
# On a reified statement: where the fact was read.
REFERENCE_PROPERTIES: frozenset[str] = frozenset(
    {
        DCTERMS + "references",
        DCTERMS + "source",
        DC + "source",
        PROV + "wasDerivedFrom",
        PROV + "hadPrimarySource",
        CITO + "citesAsEvidence",
        *(schema + "citation" for schema in SCHEMAS),
    }
)
# Types that say how a thing is modelled, not what it is.
UNSHOWN_TYPES: frozenset[str] = frozenset(
    {
        *(OWL + name for name in ("Class", "NamedIndividual", "Thing", "Restriction", "Axiom")),
        *(OWL + f"{kind}Property" for kind in ("Object", "Datatype", "Annotation", "Transitive")),
        RDFS + "Class",
        RDFS + "Resource",
        RDF + "Property",
        SKOS + "Concept",
    }
)
# Types of nodes that no question is about.
UNNAMED_TYPES: frozenset[str] = frozenset(
    {
        *(OWL + f"{kind}Property" for kind in ("Object", "Datatype", "Annotation")),
        RDF + "Property",
        OWL + "Ontology",
        VOID + "Dataset",
        DCAT + "Dataset",
        SKOS + "ConceptScheme",
        # Words that HPO puts beside a finding: "Left", "Severe", "Childhood onset".
        *(GC + name for name in ("ClinicalModifier", "ClinicalCourse", "Frequency", "PastHistory")),
        # What is said of a medicine: "commonly used", "withdrawn in some countries".
        *(GC + name for name in ("UseAdvice", "RegulatoryStatus")),
    }
)

_BOOKKEEPING_NAMESPACES = (RDF, RDFS, OWL, OBO_IN_OWL, VOID, DCAT, PAV)
_BOOKKEEPING = frozenset(
    {
        ASPECT,
        RDFS + "seeAlso",
        *(SKOS + name for name in ("inScheme", "topConceptOf", "hasTopConcept", "changeNote")),
        *(SKOS + name for name in ("editorialNote", "historyNote", "example", "scopeNote")),
        *(
            namespace + name
            for namespace in (DCTERMS, DC)
            for name in ("creator", "contributor", "created", "date", "modified", "issued")
        ),
        *(DCTERMS + name for name in ("license", "rights", "publisher", "source", "references")),
        *(DCTERMS + name for name in ("isReplacedBy", "replaces", "hasVersion", "conformsTo")),
        *(DC + name for name in ("rights", "publisher", "source", "type", "subject")),
        *(FOAF + name for name in ("homepage", "page", "depiction", "isPrimaryTopicOf")),
        *(schema + name for schema in SCHEMAS for name in ("url", "image", "mainEntityOfPage")),
        *(PROV + name for name in ("wasDerivedFrom", "hadPrimarySource", "wasAttributedTo")),
        *(OBO + f"IAO_{number}" for number in ("0000114", "0000116", "0000117", "0000118")),
        *(OBO + f"IAO_{number}" for number in ("0000119", "0000231", "0000233", "0000700")),
        OBO + "IAO_0100001",
    }
)
_NAMING = frozenset({*LABEL_PROPERTIES, *SYNONYM_PROPERTIES, *DESCRIPTION_PROPERTIES})


@lru_cache(maxsize=8192)
def is_evidence(predicate: str) -> bool:
    """Whether statements of this predicate are facts about the world that may be cited."""
    if predicate == SUBCLASS_OF:
        return True
    if predicate in _NAMING or predicate in IDENTIFIER_PROPERTIES or predicate in _BOOKKEEPING:
        return False
    return not predicate.startswith(_BOOKKEEPING_NAMESPACES)


@dataclass(frozen=True, slots=True)
class Term:
    """A relation or a type of our vocabulary; `aspect` None for a type."""

    iri: str
    english: str
    chinese: str
    aspect: str | None = None


def _relation(name: str, english: str, chinese: str, aspect: str) -> Term:
    return Term(GC + name, english, chinese, aspect)


RELATIONS: dict[str, Term] = {
    term.iri: term
    for term in (
        _relation("hasPhenotype", "has phenotype", "表型包括", "symptom"),
        _relation("lacksPhenotype", "does not have phenotype", "未见表型", "absence"),
        _relation("hasSymptom", "has symptom", "有症状", "symptom"),
        _relation("hasRedFlag", "has red flag", "有危险信号", "red-flag"),
        _relation("hasInheritance", "has inheritance", "遗传方式", "inheritance"),
        _relation("hasOnset", "has onset", "起病时间", "epidemiology"),
        _relation("hasClinicalCourse", "has clinical course", "病程", "prognosis"),
        _relation("hasModifier", "has clinical modifier", "临床修饰", "other"),
        _relation("hasPastHistory", "has past medical history", "既往史", "risk-factor"),
        _relation("hasCause", "has cause", "病因包括", "cause"),
        _relation("isTransmittedBy", "is transmitted by", "传播途径为", "transmission"),
        _relation("hasRiskFactor", "has risk factor", "危险因素包括", "risk-factor"),
        _relation("hasComplication", "has complication", "可并发", "complication"),
        _relation("isDiagnosedBy", "is diagnosed by", "检查方法包括", "diagnosis"),
        _relation("isSeenBy", "is seen by", "就诊科室为", "department"),
        _relation("affects", "affects", "累及", "anatomy"),
        _relation("treats", "treats", "用于治疗", "treatment"),
        _relation("relieves", "relieves", "用于缓解", "treatment"),
        _relation("prevents", "prevents", "用于预防", "prevention"),
        _relation("mayTreat", "may treat", "可用于治疗", "treatment"),
        _relation("mayPrevent", "may prevent", "可用于预防", "prevention"),
        _relation("doesNotTreat", "is not indicated for", "不用于治疗", "non-indication"),
        _relation("hasSideEffect", "has side effect", "副作用包括", "side-effect"),
        _relation("isContraindicatedIn", "is contraindicated in", "禁用于", "contraindication"),
        _relation("interactsWith", "interacts with", "会相互作用于", "interaction"),
        _relation("belongsTo", "belongs to", "属于", "classification"),
        _relation("isPartOf", "is part of", "是其一部分", "anatomy"),
        _relation("isAssociatedWithGene", "is associated with gene", "相关基因", "inheritance"),
        _relation("useInPregnancy", "use in pregnancy", "孕期用药", "population"),
        _relation("useInBreastFeeding", "use in breast-feeding", "哺乳期用药", "population"),
        _relation("useInChildhood", "use in childhood", "儿童用药", "population"),
        _relation("hasRegulatoryStatus", "has regulatory status", "上市状态", "regulation"),
        Term(SUBCLASS_OF, "is a", "属于", "classification"),
        Term(SKOS + "broader", "is a kind of", "属于", "classification"),
        Term(SKOS + "narrower", "has kind", "包括", "classification"),
        Term(SKOS + "related", "is related to", "相关", "other"),
        *(Term(iri, "description", "描述", "definition") for iri in DESCRIPTION_PROPERTIES),
    )
}
_GOODS = frozenset(
    GC + name for name in ("treats", "mayTreat", "relieves", "prevents", "mayPrevent")
)
# Relations that deny something, and what: the use of a medicine, a finding of a disease.
DENIES: dict[str, str] = {
    GC + "lacksPhenotype": "finding",
    GC + "doesNotTreat": "use",
    GC + "isContraindicatedIn": "use",
}
TYPES: dict[str, Term] = {
    term.iri: term
    for term in (
        Term(GC + "Disease", "Disease", "疾病"),
        Term(GC + "Condition", "Other condition", "其他病况"),
        Term(GC + "Phenotype", "Phenotype", "表型"),
        Term(GC + "Symptom", "Symptom or finding", "症状或体征"),
        Term(GC + "Inheritance", "Mode of inheritance", "遗传方式"),
        Term(GC + "ClinicalCourse", "Clinical course", "病程"),
        Term(GC + "ClinicalModifier", "Clinical modifier", "临床修饰"),
        Term(GC + "PastHistory", "Past medical history", "既往史"),
        Term(GC + "Frequency", "Frequency", "频率"),
        Term(GC + "BloodGroup", "Blood group", "血型"),
        Term(GC + "Medicine", "Medicine", "药物"),
        Term(GC + "MedicineClass", "Group of medicines", "药物类别"),
        Term(GC + "Therapy", "Therapy or preventive measure", "治疗或预防措施"),
        Term(GC + "Test", "Test", "检查"),
        Term(GC + "Department", "Department", "科室"),
        Term(GC + "RiskFactor", "Risk factor or trigger", "危险因素或诱因"),
        Term(GC + "Cause", "Cause", "病因"),
        Term(GC + "BodyPart", "Body part", "身体部位"),
        Term(GC + "Substance", "Food or substance", "食物或物质"),
        Term(GC + "UseAdvice", "Advice on use", "使用建议"),
        Term(GC + "RegulatoryStatus", "Regulatory status", "上市状态"),
        Term(GC + "Gene", "Gene", "基因"),
        Term(GC + "Pathway", "Pathway", "通路"),
        Term(GC + "BiologicalProcess", "Biological process", "生物过程"),
        Term(GC + "MolecularFunction", "Molecular function", "分子功能"),
        Term(GC + "CellularComponent", "Cellular component", "细胞组分"),
    )
}


def vocabulary_statements(iris: Iterable[str]) -> Iterator[Statement]:
    """Labels and aspects of these relations and types, as an importer adds them to its source."""
    for iri in iris:
        term = RELATIONS.get(iri) or TYPES[iri]
        node, label = NamedNode(iri), NamedNode(RDFS_LABEL)
        yield Statement(node, label, Literal(term.english, language="en"))
        yield Statement(node, label, Literal(term.chinese, language="zh"))
        if term.aspect is not None:
            yield Statement(node, NamedNode(ASPECT), Literal(term.aspect))

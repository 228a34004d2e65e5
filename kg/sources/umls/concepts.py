"""What other tables say of a concept: semantic types, definitions, retired identifiers, genes.

A semantic type that has one of ours (Disease or Syndrome → Disease) is given as ours; a concept
without such a type keeps its semantic types with their names. Of definitions the preferred
vocabulary's comes first (MSH, NCI, ICF, CSP, HPO, then the others by name).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from pyoxigraph import Literal, NamedNode

from kg.sources.statements import Statement
from kg.sources.umls.names import UmlsNames, concept_node
from kg.sources.umls.rrf import RrfTable, concept_number
from kg.sources.vocabulary import (
    DCTERMS,
    GC,
    OBO_IN_OWL,
    RDF_TYPE,
    RDFS_LABEL,
    SKOS,
    vocabulary_statements,
)

__all__ = ["definitions", "genes", "retired", "semantic_types"]

_TYPE, _LABEL = NamedNode(RDF_TYPE), NamedNode(RDFS_LABEL)
_DESCRIPTION, _DEFINITION = NamedNode(DCTERMS + "description"), NamedNode(SKOS + "definition")
_XREF = NamedNode(OBO_IN_OWL + "hasDbXref")
_RETIRED = NamedNode(OBO_IN_OWL + "hasAlternativeId")
# In our namespace, so that no question is taken to be about "Finding" or "Tissue".
_SEMANTIC_TYPES = GC + "semantic-type-"
_TUI = re.compile(r"T\d{3}")
_PREFERRED = ("MSH", "NCI", "ICF", "CSP", "HPO")
# A vocabulary of genes gives the number of Entrez Gene.
_GENES, _GENE_NUMBER = "HGNC", "ENTREZGENE_ID"
_MOST_DEFINITIONS = 1_000
# Types of our vocabulary and the semantic types that they cover.
_OURS = {
    tui: NamedNode(GC + ours)
    for ours, tuis in {
        "Disease": "T019 T037 T047 T048 T191",
        "Condition": "T020 T046 T049 T190",
        "Symptom": "T033 T034 T184",
        "Medicine": "T121 T195 T200",
        "Therapy": "T061",
        "Test": "T059 T060",
        "BodyPart": "T017 T018 T021 T022 T023 T024 T029 T030",
        "Gene": "T028",
        "Substance": "T131 T167 T168",
        "BiologicalProcess": "T038 T039 T040 T042 T043 T045",
        "MolecularFunction": "T044",
        "CellularComponent": "T026",
    }.items()
    for tui in tuis.split()
}
_CHINESE = {
    "T001": "生物体", "T002": "植物", "T004": "真菌", "T005": "病毒", "T007": "细菌",
    "T008": "动物", "T015": "哺乳动物", "T016": "人类", "T025": "细胞", "T031": "体内物质",
    "T032": "生物体属性", "T041": "心理过程", "T052": "活动", "T053": "行为", "T054": "社会行为",
    "T055": "个人行为", "T056": "日常或娱乐活动", "T057": "职业活动", "T058": "医疗保健活动",
    "T062": "研究活动", "T063": "分子生物学研究技术", "T065": "教育活动", "T066": "机器活动",
    "T067": "现象或过程", "T068": "人为现象或过程", "T069": "环境影响", "T070": "自然现象或过程",
    "T073": "制造物", "T074": "医疗器械", "T075": "研究器械", "T078": "概念", "T079": "时间概念",
    "T080": "定性概念", "T081": "定量概念", "T082": "空间概念", "T083": "地理区域",
    "T085": "分子序列", "T086": "核苷酸序列", "T089": "法规", "T090": "职业或学科",
    "T091": "生物医学职业或学科", "T092": "组织机构", "T093": "医疗机构", "T097": "职业群体",
    "T098": "人群", "T099": "家庭群体", "T100": "年龄群体", "T101": "患者或残疾群体",
    "T102": "群体属性", "T103": "化学品", "T104": "按结构分类的化学品", "T109": "有机化学品",
    "T114": "核酸、核苷或核苷酸", "T116": "氨基酸、肽或蛋白质", "T120": "按功能分类的化学品",
    "T122": "生物医学或牙科材料", "T123": "生物活性物质", "T125": "激素", "T126": "酶",
    "T127": "维生素", "T129": "免疫因子", "T130": "指示剂、试剂或诊断辅助剂", "T169": "功能概念",
    "T170": "智力产物", "T171": "语言", "T185": "分类", "T192": "受体", "T194": "古菌",
    "T196": "元素、离子或同位素", "T197": "无机化学品", "T201": "临床属性", "T203": "药物输送装置",
    "T204": "真核生物",
}  # fmt: skip


def semantic_types(table: RrfTable, names: UmlsNames) -> Iterator[Statement]:
    """MRSTY: the types of named concepts, then their labels."""
    labels: dict[str, str] = {}
    ours: set[str] = set()
    for concept, rows in groupby(table.rows(), key=itemgetter(0)):
        found = {}
        for row in rows:
            if _is_named(concept, table, names):
                if _TUI.fullmatch(row[1]):
                    found[row[1]] = row[3].strip() or row[1]
                else:
                    table.skip(f"{row[1]!r} is no semantic type")
        types = {_OURS[tui].value for tui in found if tui in _OURS}
        if not types:
            labels.update(found)
            types = {_SEMANTIC_TYPES + tui for tui in found}
        else:
            ours |= types
        for iri in sorted(types):
            yield Statement(concept_node(concept), _TYPE, NamedNode(iri))
    yield from vocabulary_statements(sorted(ours))
    yield from _type_labels(labels)


def _type_labels(labels: dict[str, str]) -> Iterator[Statement]:
    for tui, label in sorted(labels.items()):
        node = NamedNode(_SEMANTIC_TYPES + tui)
        yield Statement(node, _LABEL, Literal(label, language="en"))
        if tui in _CHINESE:
            yield Statement(node, _LABEL, Literal(_CHINESE[tui], language="zh"))


def definitions(table: RrfTable, names: UmlsNames) -> Iterator[Statement]:
    """MRDEF: of each concept and language the best as dcterms:description, others apart.

    The vocabulary is each definition's reference.
    """
    for concept, rows in groupby(table.rows(), key=itemgetter(0)):
        kept: dict[tuple[str | None, str], str] = {}
        for row in rows:
            _, _, _, _, vocabulary, text, suppress, _ = row
            language = names.language_of(vocabulary)
            if (
                _is_named(concept, table, names)
                and names.reads(vocabulary)
                and names.reads_language(language)
                and not names.is_left_out(suppress)
                and text.strip()
                and len(kept) < _MOST_DEFINITIONS
            ):
                first = kept.setdefault((language, text.strip()), vocabulary)
                kept[language, text.strip()] = min(first, vocabulary, key=_preference)
        yield from _descriptions(concept, kept)


def _descriptions(concept: str, kept: dict[tuple[str | None, str], str]) -> Iterator[Statement]:
    described: set[str | None] = set()
    for (language, text), vocabulary in sorted(kept.items(), key=lambda one: _preference(one[1])):
        predicate = _DEFINITION if language in described else _DESCRIPTION
        described.add(language)
        literal = Literal(text, language=language)
        yield Statement(concept_node(concept), predicate, literal, (vocabulary,))


def _preference(vocabulary: str) -> tuple[int, str]:
    known = _PREFERRED.index(vocabulary) if vocabulary in _PREFERRED else len(_PREFERRED)
    return known, vocabulary


def retired(table: RrfTable, names: UmlsNames) -> Iterator[Statement]:
    """MRCUI: identifiers that were merged into a named concept (REL=SY)."""
    last = ("", "")
    for row in table.rows(holding="|SY|"):
        old, new = row[0], row[5]
        if row[2] == "SY" and names.has(new) and not names.has(old) and (old, new) != last:
            if concept_number(old) is None:
                table.skip_unknown_concept(old)
                continue
            last = (old, new)
            yield Statement(concept_node(new), _RETIRED, Literal(f"UMLS:{old}"))


def genes(table: RrfTable, names: UmlsNames) -> Iterator[Statement]:
    """MRSAT: the Entrez Gene number of genes. Its other attributes are not read."""
    if not names.reads(_GENES):
        return
    for row in table.rows(holding=f"|{_GENE_NUMBER}|"):
        concept, name, vocabulary, value, suppress = row[0], row[8], row[9], row[10], row[11]
        if (
            (name, vocabulary) == (_GENE_NUMBER, _GENES)
            and re.fullmatch(r"[0-9]{1,12}", value)
            and not names.is_left_out(suppress)
            and names.has(concept)
        ):
            yield Statement(concept_node(concept), _XREF, Literal(f"NCBIGene:{value}"))


def _is_named(concept: str, table: RrfTable, names: UmlsNames) -> bool:
    if concept_number(concept) is None:
        table.skip_unknown_concept(concept)
        return False
    return names.has(concept)

"""What the relationships of MRREL mean: REL and RELA → a relation of ours, and which way round.

In a row, REL and RELA say what the *second* concept is to the *first* (UMLS Reference Manual,
chapter 3): `C1|…|CHD|C2` makes C2 the child. Each relationship stands in the file both ways, under
two names that are each other's inverse; we keep one of the two. Pairs that matter are listed here
with labels and aspect; others get their inverse from MRDOC (rela_inverse), else from their form.

Left out is what says nothing about the world: siblings (they follow from the parents), allowed
qualifiers of indexing, "not related", and what relates names, codes and releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode

from kg.sources.statements import Statement
from kg.sources.vocabulary import (
    ASPECT,
    GC,
    RDFS_LABEL,
    RELATIONS,
    SKOS,
    SUBCLASS_OF,
    vocabulary_statements,
)

__all__ = ["Meaning", "RelationNames"]

UMLS = "urn:graphcite:umls:"
# RELA | its inverse | English | Chinese | aspect; a relation of ours in the place of the labels.
_PAIRS = f"""
isa | inverse_isa | {SUBCLASS_OF}
may_treat | may_be_treated_by | {GC}mayTreat
may_prevent | may_be_prevented_by | {GC}mayPrevent
contraindicated_with_disease | has_contraindicated_drug | {GC}isContraindicatedIn
due_to | cause_of | {GC}hasCause
part_of | has_part | {GC}isPartOf
disease_has_associated_gene | gene_associated_with_disease | {GC}isAssociatedWithGene
has_inheritance_type | inheritance_type_of | {GC}hasInheritance
has_complication | complication_of | {GC}hasComplication
has_contraindicating_class | contraindicating_class_of | has contraindicating class | 禁忌类别为 | contraindication
regimen_has_accepted_use_for_disease | disease_has_accepted_treatment_with_regimen | is an accepted regimen for | 为公认治疗方案，用于 | treatment
may_be_diagnosed_by | may_diagnose | may be diagnosed by | 可用于其诊断的是 | diagnosis
interprets | is_interpreted_by | interprets | 解释 | diagnosis
measures | measured_by | measures | 测量 | diagnosis
ddx | ddx | has differential diagnosis | 需鉴别 | diagnosis
has_manifestation | manifestation_of | has manifestation | 表现为 | symptom
has_definitional_manifestation | definitional_manifestation_of | has defining manifestation | 定义性表现为 | symptom
disease_has_finding | is_finding_of_disease | has finding | 有表现 | symptom
disease_may_have_finding | may_be_finding_of_disease | may have finding | 可有表现 | symptom
has_associated_finding | associated_finding_of | has associated finding | 相关表现为 | symptom
has_causative_agent | causative_agent_of | has causative agent | 致病因子为 | cause
has_associated_etiologic_finding | associated_etiologic_finding_of | has associated etiologic finding | 病因性表现为 | cause
has_pathological_process | pathological_process_of | has pathological process | 病理过程为 | cause
induces | induced_by | induces | 诱导 | cause
has_finding_site | finding_site_of | has finding site | 病变部位为 | anatomy
has_location | location_of | has location | 位于 | anatomy
has_procedure_site | procedure_site_of | has procedure site | 操作部位为 | anatomy
has_direct_procedure_site | direct_procedure_site_of | has direct procedure site | 直接操作部位为 | anatomy
disease_has_associated_anatomic_site | is_associated_anatomic_site_of | has associated anatomic site | 相关部位为 | anatomy
disease_has_primary_anatomic_site | is_primary_anatomic_site_of_disease | has primary anatomic site | 原发部位为 | anatomy
anatomic_structure_is_physical_part_of | has_physical_part_of_anatomic_structure | is physical part of | 是其组成部分 | anatomy
regional_part_of | has_regional_part | is regional part of | 是其区域部分 | anatomy
constitutional_part_of | has_constitutional_part | is constitutional part of | 是其构成部分 | anatomy
systemic_part_of | has_systemic_part | is systemic part of | 是其系统部分 | anatomy
has_associated_morphology | associated_morphology_of | has associated morphology | 形态学改变为 | other
disease_has_associated_disease | is_associated_disease_of | has associated disease | 伴发疾病为 | complication
disease_may_have_associated_disease | may_be_associated_disease_of_disease | may have associated disease | 可伴发疾病 | complication
associated_genetic_condition | associated_disease | has associated genetic condition | 相关遗传病为 | inheritance
has_clinical_course | clinical_course_of | has clinical course | 病程为 | prognosis
has_course | course_of | has course | 病程为 | prognosis
has_severity | severity_of | has severity | 严重程度为 | prognosis
has_onset | onset_of | has onset | 起病为 | epidemiology
occurs_in | has_occurrence | occurs in | 发生于 | epidemiology
has_ingredient | ingredient_of | has ingredient | 含有成分 | other
has_active_ingredient | active_ingredient_of | has active ingredient | 活性成分为 | other
has_inactive_ingredient | inactive_ingredient_of | has inactive ingredient | 辅料为 | other
has_mechanism_of_action | mechanism_of_action_of | has mechanism of action | 作用机制为 | other
has_physiologic_effect | physiologic_effect_of | has physiologic effect | 生理作用为 | other
has_therapeutic_class | therapeutic_class_of | has therapeutic class | 治疗类别为 | classification
has_chemical_structure | chemical_structure_of | has chemical structure | 化学结构为 | classification
has_class | class_of | has class | 类别为 | classification
member_of | has_member | is member of | 属于 | classification
classified_as | classifies | is classified as | 归类为 | classification
has_tradename | tradename_of | has brand name | 商品名为 | other
has_dose_form | dose_form_of | has dose form | 剂型为 | dose
has_route_of_administration | route_of_administration_of | has route of administration | 给药途径为 | dose
consists_of | constitutes | consists of | 由其组成 | other
contains | contained_in | contains | 含有 | other
occurs_before | occurs_after | occurs before | 先于 | other
temporally_follows | temporally_followed_by | follows | 继发于 | other
associated_with | associated_with | is associated with | 相关 | other
clinically_associated_with | clinically_associated_with | is clinically associated with | 临床相关 | other
co-occurs_with | co-occurs_with | co-occurs with | 同时出现 | other
related_to | related_to | {SKOS}related
"""  # noqa: E501
# REL without RELA: what it says as a RELA.
_RELS = {
    "CHD": "isa", "RN": "isa", "PAR": "inverse_isa", "RB": "inverse_isa", "RO": "related_to",
    "RU": "related_to", "SY": "same_in_vocabulary", "RQ": "possibly_synonymous", "RL": "similar_to",
}  # fmt: skip
_SYMMETRIC = """
same_in_vocabulary | same_in_vocabulary | is given as a synonym of | 视为同义 | other
possibly_synonymous | possibly_synonymous | is possibly the same as | 可能同义 | other
similar_to | similar_to | is similar to | 类似 | other
"""
_NO_FACT_RELS = frozenset("SIB AQ QB XR DEL SUBX BRO BRB BRN".split())
_NO_FACTS = frozenset(
    "sib_in_isa sib_in_part_of mapped_to mapped_from default_mapped_to default_mapped_from "
    "multiply_mapped_to multiply_mapped_from other_mapped_to other_mapped_from primary_mapped_to "
    "primary_mapped_from uniquely_mapped_to uniquely_mapped_from has_mapping_qualifier "
    "mapping_qualifier_of has_translation translation_of has_transliterated_form "
    "transliterated_form_of has_permuted_term permuted_term_of has_expanded_form expanded_form_of "
    "mth_has_expanded_form mth_expanded_form_of has_british_form british_form_of "
    "mth_has_british_form mth_british_form_of mth_has_plain_text_form mth_plain_text_form_of "
    "mth_has_xml_form mth_xml_form_of has_entry_version entry_version_of has_sort_version "
    "sort_version_of has_print_name print_name_of has_alias alias_of has_version version_of "
    "has_fragments_for_synonyms fragments_for_synonyms_of has_common_name common_name_of "
    "has_clinician_form clinician_form_of has_consumer_friendly_form consumer_friendly_form_of "
    "adjectival_form_of noun_form_of has_lab_number lab_number_of has_multi_level_category "
    "has_single_level_category concept_in_subset subset_includes_concept see see_from use used_for "
    "refers_to referred_to_by replaces replaced_by moved_to moved_from was_a inverse_was_a same_as "
    "possibly_equivalent_to has_alternative alternative_of".split()
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A relation and how a row states it.

    `turned`: the first concept is the subject, not the second. `symmetric`: the concept with the
    lower identifier is.
    """

    relation: NamedNode
    turned: bool
    symmetric: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    code: str
    inverse: str
    iri: str
    labels: tuple[str, str, str] | None = None  # English, Chinese, aspect


def _pairs() -> Iterator[_Pair]:
    for line in (_PAIRS + _SYMMETRIC).strip().splitlines():
        if line:
            code, inverse, *words = line.split(" | ")
            if len(words) == 1:
                yield _Pair(code, inverse, words[0])
            else:
                yield _Pair(code, inverse, UMLS + code, (words[0], words[1], words[2]))


_KNOWN = {code: pair for pair in _pairs() for code in (pair.code, pair.inverse)}


class RelationNames:
    """Finds what REL and RELA mean; `inverses` are MRDOC's."""

    def __init__(self, inverses: Mapping[str, str]) -> None:
        self._inverses = inverses
        self._used: dict[str, _Pair] = {}
        self.meaning = cache(self._meaning)

    def _meaning(self, rel: str, rela: str) -> Meaning | None:
        """What a row's REL and RELA say; None where that is no fact.

        Raises KeyError for a REL that is not known.
        """
        if rel in _NO_FACT_RELS or rela in _NO_FACTS:
            return None
        code = rela or _RELS[rel]
        pair = _KNOWN.get(code) or self._pair(code)
        self._used[pair.iri] = pair
        symmetric = pair.code == pair.inverse
        return Meaning(NamedNode(pair.iri), code != pair.code and not symmetric, symmetric)

    def _pair(self, code: str) -> _Pair:
        """A pair that is not listed: the better of the two names is kept."""
        inverse = self._inverses.get(code) or _inverse_form(code)
        if inverse is None:
            return _Pair(code, "", UMLS + quote(code, safe=""))
        first, second = sorted((code, inverse), key=lambda name: (_oddness(name), name))
        return _Pair(first, second, UMLS + quote(first, safe=""))

    def statements(self, relations: Iterable[str]) -> Iterator[Statement]:
        """Labels and aspects of these relations, which rows have had."""
        for iri in sorted(relations):
            if iri in RELATIONS:
                yield from vocabulary_statements([iri])
            else:
                yield from _described(self._used[iri])


def _described(pair: _Pair) -> Iterator[Statement]:
    node, label = NamedNode(pair.iri), NamedNode(RDFS_LABEL)
    if pair.labels is None:  # its aspect follows from its words
        words = " ".join(pair.code.replace("_", " ").split()) or pair.code
        yield Statement(node, label, Literal(words, language="en"))
        return
    english, chinese, aspect = pair.labels
    yield Statement(node, label, Literal(english, language="en"))
    yield Statement(node, label, Literal(chinese, language="zh"))
    yield Statement(node, NamedNode(ASPECT), Literal(aspect))


def _inverse_form(code: str) -> str | None:
    """has_dose ↔ dose_of; None for names of another form."""
    if code.startswith("has_"):
        return code.removeprefix("has_") + "_of"
    if code.endswith("_of") and not code.startswith("is_") and "_is_" not in code:
        return "has_" + code.removesuffix("_of")
    return None


def _oddness(name: str) -> int:
    """How much a name reads like the inverse of the other: has_x before x_of and is_x_by."""
    name = name.lower()
    if name.startswith(("has_", "may_have_")) or "_has_" in name or "_may_have_" in name:
        return 0
    return 2 if name.endswith(("_of", "_by")) or name.startswith(("is_", "inverse_")) else 1

"""CMeKG: what its dictionary becomes, which end its relations are told from, the real counts."""

from __future__ import annotations

import gzip
import json
import pickle
from collections import Counter
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest
from pyoxigraph import Literal, NamedNode

from kg.aspects import ASPECTS
from kg.model import Relation
from kg.roles import SYMMETRIC, topic_is_subject
from kg.sources.cmekg.files import Dictionary, read_dictionary
from kg.sources.cmekg.importer import CmekgImporter, is_cmekg
from kg.sources.cmekg.relations import CmekgRelation, mapping, relation_named
from kg.sources.statements import Statement
from kg.sources.vocabulary import ASPECT, DCTERMS, GC, RDF_TYPE, RDFS_LABEL, RELATIONS, SKOS
from tests.needs import need

CMEKG = "urn:graphcite:cmekg:"
SMALL: Dictionary = {
    "阿莫西林片": {
        "不良反应": ["恶心", "皮疹", "恶心"],
        "适应症": ["肺炎", "敏感菌引起的下列感染：中耳炎，鼻窦炎"],
        "用法用量": ["口服，成人一次0.5g"],
        "英文名": ["Amoxicillin Tablets；AMX"],
        "别称": ["无"],
        "注意事项": ["对青霉素过敏者禁用"],
    },
    "肺炎": {
        "相关药物": ["阿莫西林片"],
        "就诊科室": ["呼吸内科", "儿科；内科"],
        "常见症状": ["咳嗽"],
        "常见病因": ["受凉", "由上呼吸道感染没有及时治疗引起", "注意"],
        "治疗": ["抗感染治疗"],
        "下位关系": ["大叶性肺炎"],
        "ICD10": ["J18.9"],
        "诊断依据_胸片": ["斑片状阴影"],
        "未来关系": ["新值"],
    },
    "维生素C咀嚼片": {"规格": ["0.1g"]},
    "维生素Ｃ咀嚼片": {"规格": ["0.1g"]},
    " \u00a0": {"不良反应": ["头痛", "头晕"]},
    "大枣\u200b": {"性味": ["性温"], "功效": [""]},
}


def write(path: Path, content: object) -> Path:
    """The dictionary as a file, in the format of its ending."""
    if ".json" in path.name:
        data = json.dumps(content, ensure_ascii=False).encode()
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    else:
        path.write_bytes(pickle.dumps(content))
    return path


def read(importer: CmekgImporter) -> list[Statement]:
    return list(importer.statements(lambda *_: None))


@pytest.fixture
def importer(tmp_path: Path) -> CmekgImporter:
    return CmekgImporter([write(tmp_path / "cmekg.pkl", SMALL)])


def node(name: str) -> NamedNode:
    return NamedNode(CMEKG + quote(name, safe=""))


def relation(name: str) -> str:
    return f"{CMEKG}relation:{quote(name, safe='')}"


def values(statements: Iterable[Statement], subject: str, predicate: str) -> list[object]:
    return [
        s.object for s in statements if (s.subject, s.predicate.value) == (node(subject), predicate)
    ]


@pytest.mark.parametrize("name", ["cmekg.pkl", "a.json", "a.json.gz"])
def test_a_pickle_and_a_json_file_say_the_same(
    tmp_path: Path, importer: CmekgImporter, name: str
) -> None:
    path = write(tmp_path / name, SMALL)
    assert is_cmekg(path)
    assert read(CmekgImporter([path])) == read(importer)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_pickle_protocol_is_read(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "cmekg.pkl"
    path.write_bytes(pickle.dumps(SMALL, protocol))
    assert read_dictionary(path) == SMALL


def test_facts_names_and_texts(importer: CmekgImporter) -> None:
    found = read(importer)
    assert values(found, "阿莫西林片", RDFS_LABEL) == [Literal("阿莫西林片", language="zh")]
    assert values(found, "阿莫西林片", relation("不良反应")) == [node("恶心"), node("皮疹")]
    assert values(found, "阿莫西林片", relation("适应症")) == [
        node("肺炎"),
        Literal("敏感菌引起的下列感染：中耳炎，鼻窦炎", language="zh"),
    ]
    assert values(found, "阿莫西林片", relation("用法用量")) == [
        Literal("口服，成人一次0.5g", language="zh")
    ]
    assert values(found, "阿莫西林片", SKOS + "altLabel") == [
        Literal("Amoxicillin Tablets", language="en"),
        Literal("AMX", language="en"),
    ]
    assert values(found, "肺炎", relation("常见病因")) == [
        node("受凉"),
        Literal("由上呼吸道感染没有及时治疗引起", language="zh"),
        Literal("注意", language="zh"),
    ]
    assert values(found, "肺炎", SKOS + "narrower") == [node("大叶性肺炎")]
    assert values(found, "肺炎", DCTERMS + "identifier") == [Literal("ICD10:J18.9")]
    labels = Counter(s.object for s in found if s.predicate.value == RDFS_LABEL)
    assert set(labels.values()) == {1}, "each thing is named once"


def test_spellings_are_kept_and_what_cannot_be_seen_goes(importer: CmekgImporter) -> None:
    found = read(importer)
    for name in ("维生素C咀嚼片", "维生素Ｃ咀嚼片"):
        assert values(found, name, RDFS_LABEL) == [Literal(name, language="zh")]
    assert values(found, "大枣", relation("性味")) == [Literal("性温", language="zh")]
    # 恶心 twice, 无 as a name, two facts without a subject, one without a value
    assert importer.skipped.count == 5
    assert any("stated twice: 阿莫西林片 不良反应 恶心" in one for one in importer.skipped.samples)
    assert importer.repaired.count == 1


def test_types_where_the_relations_agree(tmp_path: Path, importer: CmekgImporter) -> None:
    found = read(importer)
    types = {s.subject: s.object for s in found if s.predicate.value == RDF_TYPE}
    assert types == {
        node("阿莫西林片"): NamedNode(GC + "Medicine"),
        node("肺炎"): NamedNode(GC + "Disease"),
        node("呼吸内科"): NamedNode(GC + "Department"),
        node("大枣"): NamedNode(GC + "Medicine"),
    }
    both = write(tmp_path / "b.pkl", {"小儿葫芦散": {"成份": ["葫芦"], "常见症状": ["呕吐"]}})
    assert not [s for s in read(CmekgImporter([both])) if s.predicate.value == RDF_TYPE]


def test_relations_are_described(importer: CmekgImporter) -> None:
    found = read(importer)
    described = [s for s in found if s.subject == NamedNode(relation("适应症"))]
    assert [(s.predicate.value, s.object) for s in described] == [
        (RDFS_LABEL, Literal("适应症", language="zh")),
        (RDFS_LABEL, Literal("is indicated for", language="en")),
        (ASPECT, Literal("treatment")),
    ]
    unknown = [s.object for s in found if s.subject == NamedNode(relation("未来关系"))]
    assert unknown == [Literal("未来关系", language="zh")]
    assert not any(s.subject == NamedNode(relation("英文名")) for s in found)


def _told() -> list[CmekgRelation]:
    """The relations between two things whose aspect decides which end they are told from."""
    known = [relation_named(name) for name in mapping()["relation"]]
    return [
        one
        for one in known
        if one.value in ("entity", "phrase") and one.aspect not in (None, "other", *SYMMETRIC)
    ]


@pytest.mark.parametrize("one", _told(), ids=lambda one: one.chinese)
def test_a_relation_is_told_from_the_same_end_in_both_languages(one: CmekgRelation) -> None:
    assert one.english and one.aspect in ASPECTS
    says_what_it_treats = one.chinese in ("适应症", "适应证", "主治")
    for label in (one.english, one.chinese):
        told = Relation(one.iri, label, one.aspect or "")
        assert topic_is_subject(told) is not says_what_it_treats, label


def test_shared_relations_and_aspects_exist() -> None:
    table = mapping()
    for settings in (*table["relation"].values(), *table["prefix"].values()):
        assert settings.get("aspect", "other") in ASPECTS
        assert "iri" not in settings or settings["iri"] in RELATIONS
        for kind in (settings.get("subject"), settings.get("object")):
            assert kind in (None, "Medicine", "Disease", "Test", "Department")
    down = RELATIONS[SKOS + "narrower"]
    for label in (down.english, down.chinese):
        assert not topic_is_subject(Relation(down.iri, label, down.aspect or ""))


def test_details_say_what_is_known(importer: CmekgImporter) -> None:
    details = importer.details
    assert (details.title, details.version, details.date) == ("CMeKG", None, None)
    assert "none is stated for CMeKG itself" in (details.licence or "")


@pytest.mark.integration
def test_the_real_counts_agree_with_a_plain_count() -> None:
    need(find_spec("pyCMeKG") is not None, "CMeKG comes with the package PyCMeKG")
    importer = CmekgImporter([])
    assert (importer.details.version, importer.details.date) == ("0.2.5", "2019-07-05")
    dictionary = read_dictionary(importer.inputs[0])
    plain = Counter[str]()
    for facts in dictionary.values():
        for name, objects in facts.items():
            plain[name] += len(objects)
    assert (len(dictionary), len(plain), plain.total()) == (27_403, 469, 967_409)
    imported = Counter(s.predicate.value for s in read(importer))
    stated = Counter[str]()
    named = 0
    for name, count in plain.items():
        described = relation_named(name)
        if described.value in ("name", "identifier"):
            named += count
        else:
            stated[described.iri] += count
    # three values are there twice once blanks are gone; one name is "无", one value is empty
    assert importer.skipped.count == 5
    missing = stated - Counter({iri: imported[iri] for iri in stated})
    assert missing.total() == 4
    assert sum(imported[iri] for iri in stated) + missing.total() + named == 967_409
    in_words = sum(
        count
        for name, count in plain.items()
        if relation_named(name).aspect == "other" or relation_named(name).aspect is None
        if relation_named(name).value not in ("name", "identifier") and name != "下位关系"
    )
    assert in_words < 0.05 * 967_409, "relations that carry 95 % of the triples have an aspect"

"""Whole composed answers from chains, pinned; and: the checker supports whatever they say."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.answering.chain_shapes import grouped
from bot.answering.phrases import ABSTENTION
from kg.aspects import ASPECTS
from kg.model import Entity, Evidence, Origin, Relation, Retrieval, Triple
from tests.bot.test_checker_chains import chain
from tests.bot.test_composer import LABELS, composed
from tests.graphs import HPO, STARTER, entity, item, literal, path, relation, retrieval, triple

ASTHMA, COPD = entity("asthma", "哮喘"), entity("COPD", "慢阻肺")
IBUPROFEN, WARFARIN = entity("ibuprofen", "布洛芬"), entity("warfarin", "华法林")
PAIN, FEVER, DENGUE = entity("pain"), entity("fever"), entity("dengue")
MIGRAINE, SUMATRIPTAN, NAUSEA = entity("migraine"), entity("sumatriptan"), entity("nausea")
BY_WAY = "No fact at hand joins asthma and COPD directly, only by way of something else."
INDIRECT = BY_WAY.rstrip(".") + "; that is neither a yes nor a no."


def shared(
    one: Entity, name: str, other: Entity, *middles: str, language: str = "en"
) -> list[Evidence]:
    """Co-ancestor chains of one relation."""
    return [
        chain(
            "co-ancestor",
            (triple(one, name, entity(middle), language=language), True),
            (triple(other, name, entity(middle), language=language), False),
        )
        for middle in middles
    ]


def common(
    one: Entity, names: tuple[str | Relation, str | Relation], other: Entity, *middles: str
) -> list[Evidence]:
    """Co-occurrence chains."""
    return [
        chain(
            "co-occurrence",
            (triple(entity(middle), names[0], one), False),
            (triple(entity(middle), names[1], other), True),
        )
        for middle in middles
    ]


def answer(question: str, evidence: list[Evidence], *linked: Entity, **given: object) -> str:
    return composed(retrieval(question, evidence, *linked, **given))[0]  # type: ignore[arg-type]


def test_what_two_diseases_have_in_common_is_told_of_both() -> None:
    evidence = [
        *shared(ASTHMA, "hasSymptom", COPD, "wheeze", "cough"),
        *common(ASTHMA, ("treats", "treats"), COPD, "salbutamol"),
        *common(ASTHMA, ("causes", "causes"), COPD, "smoking", "dust"),
        *shared(ASTHMA, "interactsWith", COPD, "fog"),
    ]
    asked = retrieval("How are asthma and COPD related?", evidence, ASTHMA, COPD)
    assert composed(asked) == (
        "As signs and symptoms of both asthma and COPD, the starter graph lists wheeze [1] and "
        "cough [2].\n\n"
        "As a treatment for both asthma and COPD, the starter graph lists salbutamol [3].\n\n"
        "As causes of both asthma and COPD, the starter graph lists smoking [4] and dust [5].\n\n"
        "As a substance that interacts with both asthma and COPD, the starter graph lists fog [6].",
        (BY_WAY,),
    )


def test_what_two_medicines_do_is_told_of_both() -> None:
    one, other = entity("ibuprofen"), entity("naproxen")
    evidence = [
        *shared(one, "treats", other, "pain", "fever"),
        *shared(one, "sideEffect", other, "heartburn"),
        *common(one, ("hasSymptom", "hasSymptom"), other, "odd"),
        *shared(one, "isA", other, "NSAID"),
    ]
    assert answer("ibuprofen and naproxen", evidence, one, other) == (
        "The starter graph lists both ibuprofen and naproxen as treatments for pain [1] and "
        "fever [2].\n\n"
        "As a side effect of both ibuprofen and naproxen, the starter graph lists "
        "heartburn [3].\n\n"
        "The starter graph lists both ibuprofen and naproxen as signs and symptoms of odd [4].\n\n"
        "The starter graph lists both ibuprofen and naproxen as kinds of NSAID [5]."
    )


def test_hops_of_different_kinds_are_told_one_after_the_other() -> None:
    (joined,) = common(PAIN, ("treats", "interactsWith"), WARFARIN, "ibuprofen")
    asked = retrieval("What helps with pain beside warfarin?", [joined], PAIN, WARFARIN)
    assert composed(replace(asked, aspects=("treatment",)))[0] == (
        "According to the starter graph, ibuprofen treats pain but interacts with warfarin [1]."
    )


def test_chains_that_differ_in_the_middle_are_told_together() -> None:
    evidence = [
        *common(PAIN, ("treats", "interactsWith"), WARFARIN, "ibuprofen", "aspirin"),
        *(
            path(triple(PAIN, "causes", entity(m)), triple(entity(m), "hasSymptom", WARFARIN))
            for m in ("x1", "x2")
        ),
    ]
    assert answer("pain and warfarin", evidence, PAIN, WARFARIN) == (
        "According to the starter graph, each of these treats pain but interacts with warfarin: "
        "ibuprofen [1] and aspirin [2].\n\n"
        "According to the starter graph, pain causes each of these, and each of these has symptom "
        "warfarin: x1 [3] and x2 [4]."
    )


def test_guided_expansion_from_one_entity() -> None:
    phone, apple = entity("iPhone"), entity("Apple")
    made = triple(phone, "manufacturer", apple)
    evidence = [
        path(made, triple(apple, "founder", entity("Steve Jobs"))),
        path(made, triple(apple, "founder", entity("Steve Wozniak"))),
        path(made, triple(apple, "motto", literal("think different"))),
    ]
    asked = retrieval("Who founded the company that makes the iPhone?", evidence, phone)
    assert composed(asked) == (
        "According to the starter graph, the manufacturer of iPhone is Apple, and the founder of "
        "Apple is Steve Jobs [1] and Steve Wozniak [2].\n\n"
        "According to the starter graph, the manufacturer of iPhone is Apple, and the motto of "
        "Apple is “think different” [3].",
        (),
    )


def test_three_hops_and_a_hop_walked_backwards() -> None:
    evidence = [
        chain(
            "path",
            (triple(SUMATRIPTAN, "treats", MIGRAINE), True),
            (triple(MIGRAINE, "hasSymptom", NAUSEA), True),
            (triple(entity("ondansetron"), "treats", NAUSEA, population="adults"), False),
        )
    ]
    assert answer("sumatriptan", evidence, SUMATRIPTAN) == (
        "According to the starter graph, sumatriptan treats migraine, migraine has symptom nausea, "
        "and ondansetron treats nausea (in adults) [1]."
    )


def test_each_source_speaks_for_its_own_hop() -> None:
    evidence = [
        path(
            triple(SUMATRIPTAN, "treats", MIGRAINE, STARTER),
            triple(MIGRAINE, "hasPhenotype", NAUSEA, HPO),
        )
    ]
    assert answer("sumatriptan and nausea", evidence, SUMATRIPTAN, NAUSEA) == (
        "According to the starter graph, sumatriptan treats migraine, and according to the Human "
        "Phenotype Ontology, migraine has phenotype nausea [1]."
    )


def test_facts_that_read_the_same_are_one_item() -> None:
    middle = entity("salbutamol")
    evidence = [
        chain(
            "co-occurrence",
            (triple(middle, "treats", ASTHMA), False),
            (triple(middle, "treats", COPD), True),
        ),
        path(triple(ASTHMA, "hasTreatment", middle), triple(middle, "treats", COPD)),
    ]
    assert answer("asthma and COPD", evidence, ASTHMA, COPD) == (
        "As a treatment for both asthma and COPD, the starter graph lists salbutamol [1][2]."
    )


def test_in_chinese() -> None:
    one, other = entity("哮喘"), entity("慢性阻塞性肺疾病")
    evidence = [
        *shared(one, "hasSymptom", other, "喘息", "咳嗽", language="zh"),
        *shared(one, "interactsWith", other, "雾", language="zh"),
        *shared(one, "treats", other, "疼痛", language="zh"),
        path(
            triple(one, "有症状", entity("胸闷"), language="zh"),
            triple(entity("胸闷"), "检查方法包括", other, HPO, language="zh"),
        ),
    ]
    asked = retrieval("哮喘和慢性阻塞性肺疾病有什么联系？", evidence, one, other, language="zh")
    assert composed(asked) == (
        "《starter graph》列出的哮喘和慢性阻塞性肺疾病共同的症状或体征有喘息[1]和咳嗽[2]。\n\n"
        "《starter graph》列出的与哮喘和慢性阻塞性肺疾病都有相互作用的是雾[3]。\n\n"
        "根据《starter graph》，以哮喘和慢性阻塞性肺疾病为治疗方法的有疼痛[4]。\n\n"
        "根据《starter graph》，哮喘有症状胸闷；根据《Human Phenotype Ontology》，"
        "胸闷的检查方法包括慢性阻塞性肺疾病[5]。",
        ("手头的事实没有直接把哮喘和慢性阻塞性肺疾病联系起来，只是通过其他事物相联系。",),
    )


def test_a_direct_fact_answers_a_yes_no_question_alone() -> None:
    direct = item(triple(IBUPROFEN, "interactsWith", WARFARIN))
    evidence = [*shared(IBUPROFEN, "sideEffect", WARFARIN, "bleeding"), direct]
    asked = retrieval("Does ibuprofen interact with warfarin?", evidence, IBUPROFEN, WARFARIN)
    assert composed(asked) == (
        "As a substance that interacts with ibuprofen, the starter graph lists warfarin [1].",
        (),
    )
    asked = retrieval("How are ibuprofen and warfarin connected?", evidence, IBUPROFEN, WARFARIN)
    assert composed(asked)[0].splitlines()[-1] == (
        "As a side effect of both ibuprofen and warfarin, the starter graph lists bleeding [2]."
    )


def test_where_nothing_is_direct_what_leads_there_is_told_and_silence_is_not_no() -> None:
    evidence = [
        *shared(ASTHMA, "hasSymptom", COPD, "wheeze"),
        path(
            triple(ASTHMA, relation("leaves", aspect="complication"), entity("scars")),
            triple(entity("scars"), "causes", COPD),
        ),
    ]
    asked = retrieval("Does asthma cause COPD?", evidence, ASTHMA, COPD, aspects=("cause",))
    assert composed(asked) == (
        "According to the starter graph, asthma leaves scars, and scars causes COPD [1].",
        (INDIRECT,),
    )


def test_what_two_things_share_answers_only_whether_they_are_related() -> None:
    evidence = shared(ASTHMA, "hasSymptom", COPD, "wheeze")
    asked = retrieval("Are asthma and COPD related?", evidence, ASTHMA, COPD)
    assert composed(asked) == (
        "As a sign or symptom of both asthma and COPD, the starter graph lists wheeze [1].",
        (INDIRECT,),
    )
    for question, aspects in (("Does asthma cause COPD?", ("cause",)), ("Is asthma COPD?", ())):
        asked = retrieval(question, evidence, ASTHMA, COPD, aspects=aspects)
        text, remarks = composed(asked)
        assert text == ABSTENTION["en"]
        assert remarks[-1].startswith("No fact at hand joins asthma and COPD;")


def test_whether_two_medicines_go_together_is_not_answered_by_what_both_treat() -> None:
    evidence = shared(IBUPROFEN, "treats", WARFARIN, "pain")
    asked = retrieval(
        "Can I take ibuprofen with warfarin?",
        evidence,
        IBUPROFEN,
        WARFARIN,
        aspects=("contraindication",),
    )
    text, remarks = composed(asked)
    assert text == ABSTENTION["en"]
    assert remarks[-1].startswith("No fact at hand joins ibuprofen and warfarin;")


def test_chains_of_the_asked_aspect_come_first_and_others_stay_out() -> None:
    evidence = [
        *shared(ASTHMA, "hasSymptom", COPD, "wheeze"),
        *common(ASTHMA, ("treats", "treats"), COPD, "salbutamol"),
        *shared(ASTHMA, "hasCause", entity("bronchitis"), "smoke"),
    ]
    asked = retrieval(
        "Treatment of asthma and COPD?", evidence, ASTHMA, COPD, aspects=("treatment",)
    )
    assert composed(asked)[0] == (
        "As a treatment for both asthma and COPD, the starter graph lists salbutamol [1]."
    )


def test_at_most_five_sentences_and_seven_items_in_one() -> None:
    many = shared(ASTHMA, "hasSymptom", COPD, *(f"sign {letter}" for letter in "abcdefgh"))
    kinds = ["hasCause", "sideEffect", "department", "isA", "hasInheritance", "hasTreatment"]
    evidence = many + [one for kind in kinds for one in shared(ASTHMA, kind, COPD, f"a {kind}")]
    text = answer("asthma and COPD", evidence, ASTHMA, COPD)
    assert len(text.split("\n\n")) == 5
    assert text.split("\n\n")[0].count("[") == 7
    many = common(PAIN, ("treats", "hasSymptom"), WARFARIN, *(f"thing {n}" for n in "abcdefgh"))
    assert answer("pain and warfarin", many, PAIN, WARFARIN).split("\n\n")[1] == (
        "According to the starter graph, thing h treats pain and has symptom warfarin [8]."
    )


def test_a_detour_is_not_told_where_there_is_a_shorter_way() -> None:
    around = path(
        triple(ASTHMA, "hasCause", PAIN),
        triple(PAIN, "hasSymptom", FEVER),
        triple(FEVER, "hasTreatment", COPD),
    )
    alone = retrieval("asthma and COPD", [around], ASTHMA, COPD)
    assert composed(alone)[0].endswith("and fever has treatment COPD [1].")
    both = [around, *shared(ASTHMA, "hasSymptom", COPD, "wheeze")]
    assert answer("asthma and COPD", both, ASTHMA, COPD) == (
        "As a sign or symptom of both asthma and COPD, the starter graph lists wheeze [1]."
    )


def test_harm_is_told_as_harm_and_last() -> None:
    harmful = (relation("is contraindicated in", aspect="contraindication"), "treats")
    evidence = common(DENGUE, harmful, PAIN, "ibuprofen", "aspirin")
    assert answer("pain in dengue", evidence, PAIN, DENGUE) == (
        "According to the starter graph, each of these treats pain but is contraindicated in "
        "dengue: ibuprofen [1] and aspirin [2]."
    )
    assert answer("pain in dengue", evidence[:1], PAIN, DENGUE) == (
        "According to the starter graph, ibuprofen treats pain but is contraindicated in "
        "dengue [1]."
    )
    told = [
        chain(
            "co-occurrence",
            (triple(entity(m), relation("禁用于", aspect="contraindication"), DENGUE), False),
            (triple(entity(m), relation("用于治疗", aspect="treatment"), PAIN), True),
        )
        for m in ("布洛芬", "阿司匹林")
    ]
    assert answer("pain in dengue", told, PAIN, DENGUE, language="zh") == (
        "根据《starter graph》，以下各项用于治疗pain，但禁用于dengue：布洛芬[1]和阿司匹林[2]。"
    )


def test_guesses_come_last_and_never_alone() -> None:
    guess, other = entity("guess"), entity("other guess")
    guessed = [
        replace(e, origin="hypothesis") for e in shared(ASTHMA, "hasSymptom", guess, "cough")
    ]
    between = [
        replace(e, origin="hypothesis") for e in shared(guess, "hasSymptom", other, "pallor")
    ]
    own = shared(ASTHMA, "hasSymptom", COPD, "wheeze")
    asked = retrieval("Signs?", [*between, *guessed, *own], ASTHMA, COPD, guess, other)
    linked = tuple(
        replace(e, origin="hypothesis") if "guess" in e.label else e for e in asked.entities
    )
    origins: list[Origin] = ["hypothesis", "hypothesis", "question"]
    told = tuple(replace(e, origin=o) for e, o in zip(asked.evidence, origins, strict=True))
    asked = replace(asked, entities=linked, evidence=told, aspects=("symptom",))
    text = composed(asked)[0]
    assert text == (
        "As a sign or symptom of both asthma and COPD, the starter graph lists wheeze [1].\n\n"
        "As a sign or symptom of both asthma and guess, the starter graph lists cough [2]."
    )


def test_a_dispute_about_a_hop_is_told() -> None:
    treats = triple(IBUPROFEN, "treats", PAIN)
    denied = item(triple(IBUPROFEN, "contraindicatedIn", PAIN))
    joined = chain(
        "co-occurrence", (treats, False), (triple(IBUPROFEN, "interactsWith", WARFARIN), True)
    )
    asked = retrieval("pain and warfarin?", [joined, item(treats), denied], PAIN, WARFARIN)
    asked = replace(asked, conflicts=((item(treats).key, denied.key),), aspects=("interaction",))
    assert composed(asked)[1][0].startswith("The graph contradicts itself")


def test_a_name_inside_a_longer_name_is_not_asked_about() -> None:
    evidence = shared(ASTHMA, "hasSymptom", COPD, "wheeze")
    asked = retrieval(
        "How are the asthma kind of COPD and pain connected?", evidence, ASTHMA, COPD, PAIN
    )
    nested = tuple(replace(e, nested=e.label == "asthma") for e in asked.entities)
    assert composed(replace(asked, entities=nested))[1] == (
        "No fact at hand joins COPD and pain; that does not mean that nothing does.",
    )


def test_two_ways_round_are_one_sentence() -> None:
    evidence = [
        *shared(ASTHMA, "hasSymptom", COPD, "wheeze"),
        *shared(COPD, "hasPhenotype", ASTHMA, "wheeze", "cough"),
    ]
    assert answer("asthma and COPD", evidence, ASTHMA, COPD) == (
        "As signs and symptoms of both asthma and COPD, the starter graph lists wheeze [1][2] and "
        "cough [3]."
    )


def test_groups_are_the_same_whatever_is_left_out() -> None:
    evidence = shared(ASTHMA, "hasSymptom", COPD, "wheeze", "cough")
    assert [len(g.chains) for g in grouped(evidence, "en")] == [2]
    assert [g.shape for g in grouped(evidence[:1], "en")] == ["shared"]


# What relations are called, whatever their aspect.
WORDS = [
    "reihe",
    "is reihed by",
    "treats",
    "side effect",
    "has symptom",
    "关联",
    "包括",
    "用于治疗",
]


@st.composite
def chains(draw: st.DrawFn) -> tuple[list[Evidence], Entity, Entity]:
    """Chains of two or three hops, of any aspects and directions, with any labels."""
    labels = draw(
        st.lists(
            LABELS.filter(lambda text: any(c.isalnum() for c in text)),
            min_size=4,
            max_size=7,
            unique=True,
        )
    )
    # Each begins with a word of its own, so that no two together read like a third.
    start, end, *others = (
        entity(f"n{number} {label.rstrip(',;:，；：')}", iri=f"http://example.org/{number}")
        for number, label in enumerate(labels)
    )
    told = [
        aspect for aspect in ASPECTS if aspect not in ("definition", "absence", "non-indication")
    ]
    word = draw(st.sampled_from(WORDS))
    relations = [
        Relation(f"http://example.org/r{ASPECTS.index(aspect)}", word, aspect)
        for aspect in draw(st.lists(st.sampled_from(told), min_size=1, max_size=3))
    ]
    found: list[Evidence] = []
    for middle in others:
        along = [start, middle, end]
        if draw(st.booleans()):
            along.insert(1, others[0]) if middle is not others[0] else None
        walked: list[tuple[Triple, bool]] = []
        for one, other in zip(along, along[1:], strict=False):
            forward = draw(st.booleans())
            ends = (one, other) if forward else (other, one)
            relation = draw(st.sampled_from(relations))
            walked.append((triple(ends[0], relation, ends[1]), forward))
        found.append(
            chain(draw(st.sampled_from(["path", "co-ancestor", "co-occurrence"])), *walked)
        )
    return found, start, end


@settings(max_examples=300, deadline=None)
@given(made=chains(), language=st.sampled_from(["en", "zh"]))
def test_supported_by_construction(
    made: tuple[list[Evidence], Entity, Entity], language: str
) -> None:
    evidence, start, end = made
    asked: Retrieval = retrieval("start and end?", evidence, start, end, language=language)
    text, _ = composed(asked)
    assert text != ABSTENTION[language]


def test_what_a_hop_denies_is_told_as_denied() -> None:
    evidence = shared(ASTHMA, "lacksPhenotype", COPD, "seizure")
    assert answer("asthma and COPD", evidence, ASTHMA, COPD) == (
        "In both asthma and COPD, the starter graph lists as looked for and not found seizure [1]."
    )
    unclear = Relation("http://example.org/r", "relates to", "absence")
    evidence = [path(triple(ASTHMA, unclear, PAIN), triple(PAIN, "hasSymptom", COPD))]
    assert answer("asthma and COPD", evidence, ASTHMA, COPD) == ABSTENTION["en"]

"""What the checker says of sentences on paths: hops told, conclusions across them, harm as help."""

from __future__ import annotations

import pytest

from bot.citations.checker import check
from kg.model import Evidence, EvidenceKind, Hop, Triple, evidence_key
from tests.graphs import entity, item, path, relation, triple

MIGRAINE = entity("migraine", "偏头痛")
SUMATRIPTAN = entity("sumatriptan", "舒马曲坦")
NAUSEA = entity("nausea", "恶心")
TOPIRAMATE = entity("topiramate", "托吡酯")
WEIGHT_LOSS = entity("weight loss", "体重减轻")
ASTHMA, COPD, WHEEZE = entity("asthma", "哮喘"), entity("COPD", "慢阻肺"), entity("wheeze", "喘息")
IBUPROFEN, WARFARIN = entity("ibuprofen", "布洛芬"), entity("warfarin", "华法林")
PAIN, DENGUE = entity("pain", "疼痛"), entity("dengue", "登革热")
IPHONE, APPLE, JOBS = entity("iPhone"), entity("Apple"), entity("Steve Jobs")
MARFAN, EPILEPSY = entity("Marfan syndrome"), entity("epilepsy")
SEIZURE = entity("seizure")


def chain(kind: EvidenceKind, *walked: tuple[Triple, bool]) -> Evidence:
    hops = tuple(Hop(fact, forward) for fact, forward in walked)
    return Evidence(evidence_key(kind, hops), kind, hops, "")


EVIDENCE: dict[int, Evidence] = {
    1: path(triple(SUMATRIPTAN, "treats", MIGRAINE), triple(MIGRAINE, "hasSymptom", NAUSEA)),
    2: path(
        triple(MIGRAINE, "hasTreatment", TOPIRAMATE), triple(TOPIRAMATE, "sideEffect", WEIGHT_LOSS)
    ),
    3: chain(
        "co-ancestor",
        (triple(ASTHMA, "hasSymptom", WHEEZE), True),
        (triple(COPD, "hasSymptom", WHEEZE), False),
    ),
    4: chain(
        "co-occurrence",
        (triple(IBUPROFEN, "treats", PAIN), False),
        (triple(IBUPROFEN, "interactsWith", WARFARIN), True),
    ),
    5: path(triple(IPHONE, "manufacturer", APPLE), triple(APPLE, "founder", JOBS)),
    6: chain(
        "co-occurrence",
        (triple(IBUPROFEN, "treats", PAIN), False),
        (triple(IBUPROFEN, "contraindicatedIn", DENGUE), True),
    ),
    7: chain(
        "co-ancestor",
        (triple(MARFAN, "lacksPhenotype", SEIZURE), True),
        (triple(EPILEPSY, "hasSymptom", SEIZURE), False),
    ),
    8: path(
        triple(SUMATRIPTAN, "treats", MIGRAINE),
        triple(MIGRAINE, "hasSymptom", NAUSEA),
        triple(NAUSEA, "hasTreatment", entity("ondansetron", "昂丹司琼")),
    ),
    9: path(triple(SUMATRIPTAN, "treats", MIGRAINE), triple(MIGRAINE, "hasSymptom", PAIN)),
}


@pytest.mark.parametrize(
    "answer",
    [
        "Sumatriptan treats migraine, and migraine has nausea as a symptom [1].",
        "Sumatriptan treats migraine, which has the symptom nausea [1].",
        "Sumatriptan is used for migraine, and the symptoms of migraine include nausea [1].",
        "Nausea is a symptom of migraine, which can be treated with sumatriptan [1].",
        "Migraine causes nausea and is treated with sumatriptan [1].",
        "Sumatriptan is connected with nausea by way of migraine [1].",
        "Sumatriptan helps with nausea in migraine [1].",
        "The graph has nothing direct on sumatriptan and nausea, but sumatriptan treats migraine, "
        "which has nausea as a symptom [1].",
        "舒马曲坦用于治疗偏头痛，偏头痛的症状有恶心[1]。",
        "舒马曲坦有助于偏头痛引起的恶心[1]。",
        "偏头痛可用舒马曲坦治疗，其症状包括恶心[1]。",
        "Migraine is treated with topiramate, whose side effects include weight loss [2].",
        "Topiramate treats migraine but can cause weight loss [2].",
        "托吡酯可治疗偏头痛，但可引起体重减轻[2]。",
        "Asthma and COPD both have the symptom wheeze [3].",
        "Both asthma and COPD can cause wheeze [3].",
        "Wheeze is a symptom of asthma and COPD [3].",
        "哮喘和慢阻肺都有喘息的症状[3]。",
        "Ibuprofen relieves pain, but it interacts with warfarin [4].",
        "布洛芬可以缓解疼痛，但与华法林有相互作用[4]。",
        "The iPhone is made by Apple, which was founded by Steve Jobs [5].",
        "Steve Jobs founded Apple, the manufacturer of the iPhone [5].",
        "Steve Jobs founded the company that makes the iPhone [5].",
        "Ibuprofen treats pain but should not be used in dengue [6].",
        "布洛芬可治疗疼痛，但登革热患者禁用布洛芬[6]。",
        "Ibuprofen should not be used for pain in dengue [6].",
        "Although ibuprofen treats pain, it is contraindicated in dengue [6].",
        "布洛芬虽可治疗疼痛，但登革热患者不宜使用[6]。",
        "Migraine can be treated with topiramate (side effect: weight loss) [2].",
        "One of the side effects of topiramate, a treatment for migraine, is weight loss [2].",
        "喘息是哮喘和慢阻肺的共同症状[3]。",
        "Seizures are a symptom of epilepsy but were not found in Marfan syndrome [7].",
        "Sumatriptan treats migraine, migraine has the symptom nausea, and nausea can be treated "
        "with ondansetron [8].",
    ],
)
def test_what_is_told_hop_by_hop_is_supported(answer: str) -> None:
    (sentence,) = check(answer, EVIDENCE)
    assert sentence.verdict == "supported", sentence


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Sumatriptan treats nausea [1].", "sumatriptan and nausea"),
        ("Sumatriptan is a treatment for nausea [1].", "sumatriptan and nausea"),
        ("Nausea can be relieved with sumatriptan [1].", "nausea and sumatriptan"),
        ("Sumatriptan treats nausea in migraine [1].", "sumatriptan and nausea"),
        ("Sumatriptan helps with nausea [1].", "sumatriptan and nausea"),
        ("Sumatriptan treats migraine and nausea [1].", "sumatriptan and nausea"),
        ("Sumatriptan treats migraine, and it helps with nausea [1].", "sumatriptan and nausea"),
        ("Sumatriptan, which treats nausea, is used for migraine [1].", "sumatriptan and nausea"),
        ("As a treatment for nausea, sumatriptan is listed [1].", "sumatriptan and nausea"),
        ("Sumatriptan causes nausea [1].", "sumatriptan and nausea"),
        ("Treatments for nausea include sumatriptan, a migraine drug [1].", "nausea"),
        ("舒马曲坦可治疗恶心[1]。", "“sumatriptan”和“nausea”"),
        ("舒马曲坦可治疗偏头痛引起的恶心[1]。", None),
        ("舒马曲坦有助于缓解恶心[1]。", "“sumatriptan”和“nausea”"),
        ("恶心可以用舒马曲坦治疗[1]。", "“nausea”和“sumatriptan”"),
        ("舒马曲坦可治疗偏头痛和恶心[1]。", "“sumatriptan”和“nausea”"),
        # a last hop that is an adverse effect, an interaction or a contraindication
        ("Topiramate helps with weight loss in migraine [2].", "another relation"),
        ("Topiramate treats weight loss in migraine [2].", "another relation"),
        ("For weight loss in migraine, topiramate is effective against weight loss [2].", "side"),
        ("托吡酯有助于偏头痛患者的体重减轻[2]。", None),
        ("托吡酯可治疗体重减轻和偏头痛[2]。", "另一种关系"),
        ("Warfarin treats pain [4].", "warfarin and pain"),
        ("Ibuprofen treats pain and dengue [6].", "another relation"),
        ("Ibuprofen treats pain in dengue and helps against dengue [6].", None),
        ("布洛芬可治疗登革热和疼痛[6]。", "另一种关系"),
        ("Ibuprofen relieves pain in dengue [6].", "another relation"),
        ("Ibuprofen is safe in dengue and treats pain [6].", "another relation"),
        ("Sumatriptan may worsen nausea [1].", "sumatriptan and nausea"),
        ("舒马曲坦对恶心有效[1]。", "“sumatriptan”和“nausea”"),
        ("华法林与布洛芬都能治疗疼痛[4]。", "“warfarin”和“pain”"),
        # direction
        ("Migraine treats sumatriptan, and migraine has nausea as a symptom [1].", "direction"),
        ("Sumatriptan treats migraine, and nausea causes migraine [1].", "direction"),
        ("偏头痛可治疗舒马曲坦，偏头痛的症状有恶心[1]。", "方向"),
        # negation
        ("Sumatriptan does not treat migraine, and migraine has nausea [1].", "denies"),
        ("Ibuprofen does not treat pain but is contraindicated in dengue [6].", "denies"),
        ("舒马曲坦不能治疗偏头痛，偏头痛的症状有恶心[1]。", "否定"),
        ("Marfan syndrome and epilepsy both have seizures [7].", "not found"),
        ("Asthma causes COPD [3].", "asthma and COPD"),
        ("哮喘可导致慢阻肺[3]。", "“asthma”和“COPD”"),
        # an end that is not named
        ("Sumatriptan treats migraine [1].", "nausea"),
        ("Steve Jobs founded Apple [5].", "iPhone"),
        ("Sumatriptan treats ondansetron [8].", "sumatriptan and ondansetron"),
    ],
)
def test_what_a_path_does_not_say_is_not_supported(answer: str, reason: str | None) -> None:
    (sentence,) = check(answer, EVIDENCE)
    assert sentence.verdict == "unsupported", sentence
    if reason:
        assert any(reason in (c.reason or "") for c in sentence.checks), sentence


def test_a_pronoun_does_not_hide_a_conclusion() -> None:
    answer = "Sumatriptan is a medicine. It treats nausea [1]."
    assert check(answer, EVIDENCE)[1].verdict == "unsupported"
    answer = "Sumatriptan is a medicine. It treats migraine, which has nausea as a symptom [1]."
    assert check(answer, EVIDENCE)[1].verdict == "supported"


def test_list_items_are_read_with_their_lead_in() -> None:
    answer = "Treatments for nausea are:\n- sumatriptan [1]\n- ondansetron [8]\n"
    assert [s.verdict for s in check(answer, EVIDENCE)] == ["unsupported", "unsupported"]
    answer = "What asthma and COPD share:\n- wheeze [3]\n"
    assert [s.verdict for s in check(answer, EVIDENCE)] == ["supported"]


def test_what_no_evidence_of_the_sentence_names_makes_it_partly_supported() -> None:
    answer = "Sumatriptan treats migraine and dengue, and migraine has nausea as a symptom [1]."
    (sentence,) = check(answer, EVIDENCE)
    assert (sentence.verdict, sentence.checks[0].reason) == (
        "partly",
        "dengue is not in the evidence",
    )
    answer = "Sumatriptan treats migraine, which has the symptoms nausea [1] and pain [9]."
    (sentence,) = check(answer, EVIDENCE)
    assert sentence.verdict == "supported", sentence


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Ibuprofen is not indicated for dengue [1].", "supported"),
        ("布洛芬不用于治疗登革热[1]。", "supported"),
        ("Ibuprofen treats dengue [1].", "unsupported"),
        ("布洛芬用于治疗登革热[1]。", "unsupported"),
    ],
)
def test_what_is_not_indicated_is_no_treatment(answer: str, verdict: str) -> None:
    denied = relation("is not indicated for", aspect="non-indication")
    evidence = {1: item(triple(IBUPROFEN, denied, DENGUE))}
    assert check(answer, evidence)[0].verdict == verdict


def test_strong_words_and_numbers_are_no_more_backed_by_a_path() -> None:
    answer = "Sumatriptan always treats migraine, and migraine has nausea as a symptom [1]."
    assert check(answer, EVIDENCE)[0].verdict == "partly"
    answer = "Sumatriptan 50 mg treats migraine, and migraine has nausea as a symptom [1]."
    assert check(answer, EVIDENCE)[0].verdict == "partly"

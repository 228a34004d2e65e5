"""What kind of thing a word stands for where it stands: "cold weather" is no illness.

A name has several senses where an illness, a medicine, a gene, a living being or a thing of nature
are called alike. The words beside a name tell which; so do the type and the label of an entity.
Only kinds are told apart here, never two illnesses of one name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from kg.model import Candidate, Mention
from kg.text import fold, is_cjk, tokens

__all__ = ["Sense", "is_everyday", "sense_around", "sense_beside", "sense_of"]

Sense = Literal["illness", "medicine", "gene", "organism", "nature", "measurement"]

_ILLNESS_ASPECTS = frozenset(
    {"symptom", "treatment", "prevention", "diagnosis", "complication", "prognosis", "department"}
)

# Words right after a name (in Chinese: the characters) that tell what the name stands for.
_AFTER: dict[Sense, str] = {
    "nature": "weather water air wind temperature temperatures climate winter season seasons day "
    "days night nights drink drinks beverage food foods meal hand hands foot feet finger fingers "
    "bath shower room place places environment environments exposure storage stimulus stimuli "
    "compress pack chain front snap spell surface object objects pressor stress "
    "天气 空气 水 风 气候 环境 温度 饮料 饮食 刺激",
    "gene": "gene genes protein proteins mutation mutations variant variants allele alleles locus "
    "expression promoter receptor deletion knockout 基因 蛋白 突变",
    "medicine": "tablet tablets capsule capsules injection injections mg dose doses dosage cream "
    "ointment syrup pill pills drops 片 胶囊 注射液 颗粒 口服液 软膏",
    "organism": "bite bites species genus strain strains larva larvae colony colonies 叮咬 菌株",
    "illness": "symptom symptoms patient patients sufferers remedy remedies attack attacks "
    "treatment treatments 患者 病人 症状 发作",
}
# Words right before it.
_BEFORE: dict[Sense, str] = {
    "illness": "catch catches catching caught common bad my having 患 得了 患有 得 患上",
    "gene": "gene protein locus",
    "medicine": "taking mg tablet take 服用 口服 吃",
    "nature": "feel feels feeling felt very too extreme",
}
# Words anywhere in a text that speak of one sense.
_ILLNESS_WORDS = frozenset(
    fold(word)
    for word in "flu influenza cough coughing sneeze sneezing fever runny nose sore throat virus "
    "infection contagious catch caught".split()
)
# Words of a type or a label, in order: the first kind that has one of them is meant.
_OF_ENTITY: dict[Sense, str] = {
    "gene": "gene protein enzyme receptor antigen chromosome 基因 蛋白 酶",
    "medicine": "medicine drug compound chemical substance medication pharmaceutical vaccine "
    "ingredient 药物 药品 化学 疫苗 药",
    "organism": "organism species virus bacterium bacteria fungus animal plant genus taxon "
    "病毒 细菌",
    "illness": "disease disorder syndrome phenotype symptom finding sign condition illness "
    "infection neoplasm cancer deficiency abnormality 疾病 症状 体征 综合征 表型 病",
    "measurement": "measurement test assay antibody hormone laboratory 检验 抗体 激素",
    "nature": "temperature climate weather environment phenomenon energy quality season 温度 气候",
}
# After a name: "T3 is low", "ANA positive", "T3偏低" speak of what a laboratory measures.
_MEASURED = re.compile(
    r"\s*(?:(?:is|was|are|were|level|titer|titre|test|count|concentration)s?\s+)*"
    r"(?:(?:positive|negative|low|high|elevated|raised|normal|abnormal|decreased|increased|levels?"
    r"|titers?|titres?)\b|阳性|阴性|升高|降低|偏低|偏高|正常|水平)",
    re.IGNORECASE,
)
# Everyday words that an illness or a finding is also called by: where nothing speaks for that, and
# the word beside them against it, they name none.
_EVERYDAY = frozenset(
    fold(word)
    for word in "cold hot heat dry shock stroke fit rash burn burns tic crash flush fall falls "
    "tension strain stress pressure itch sting swelling depression attack bite cut 冷 热 寒".split()
)


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in text.split())


_AFTER_WORDS = {sense: _words(text) for sense, text in _AFTER.items()}
_BEFORE_WORDS = {sense: _words(text) for sense, text in _BEFORE.items()}
_ENTITY_WORDS = {sense: _words(text) for sense, text in _OF_ENTITY.items()}


def is_everyday(name: str) -> bool:
    """Whether an illness of this name shares it with an everyday word."""
    return fold(name) in _EVERYDAY


def sense_beside(text: str, mention: Mention) -> Sense | None:
    """What the words right beside a name take it for: "cold weather", "catch a cold"."""
    before, after = text[: mention.start], text[mention.end :]
    if _MEASURED.match(after):
        return "measurement"
    if is_cjk(mention.text):
        following, preceding = fold(after[:4]), fold(before[-4:])
        return _first(_AFTER_WORDS, following.startswith) or _first(
            _BEFORE_WORDS, preceding.endswith
        )
    match = re.match(r"[\s-]+(\w+)", after)
    sense = _first(_AFTER_WORDS, fold(match.group(1)).__eq__) if match else None
    match = re.search(r"(\w+)(?:\s+(?:a|an|the))?[\s-]+$", before)
    return sense or (_first(_BEFORE_WORDS, fold(match.group(1)).__eq__) if match else None)


def sense_around(text: str, mention: Mention, aspects: Sequence[str]) -> Sense | None:
    """What the rest of the text and what it asks for speak for."""
    rest = f"{text[: mention.start]} {text[mention.end :]}"
    has_one = re.search(r"\ban?\s+$", text[: mention.start], re.IGNORECASE) is not None
    if has_one or _ILLNESS_ASPECTS & set(aspects):
        return "illness"
    if any(token.folded in _ILLNESS_WORDS for token in tokens(rest)):
        return "illness"
    return None


def sense_of(candidate: Candidate) -> Sense | None:
    """What an entity is, by the words of its label and then of its type."""
    for text in (candidate.label, candidate.type or ""):
        # Chinese words are looked for in the whole, English ones among the words.
        parts = fold(text) if is_cjk(text) else {token.folded for token in tokens(text)}
        sense = _first(_ENTITY_WORDS, parts.__contains__)
        if sense is not None:
            return sense
    return None


def _first(groups: Mapping[Sense, frozenset[str]], fits: Callable[[str], bool]) -> Sense | None:
    """The first sense that has a fitting word."""
    return next((sense for sense, words in groups.items() if any(map(fits, words))), None)

"""What a sentence makes of a path: its hops may be told, nothing may be concluded across them.

"A treats B, and B has symptom C" backs a sentence that tells these two facts, or that A and C are
connected; it does not back "A treats C". Clear cases in English and Chinese are judged, the rest
passes. How a sentence is read is in bot.citations.chain_claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.citations import reasons
from bot.citations.chain_claims import Claim, Reading
from bot.citations.claims import fits, is_kind_word, is_negated, turned_round
from bot.citations.naming import SIGNS, Naming
from kg.model import Evidence, Triple
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = ["chain_objection", "foreign_name"]

_DIRECTLY = re.compile(r"\bdirect\w*|直接", re.IGNORECASE)
# A hop that says what harms, is not there or does not help.
_DENYING = frozenset({"contraindication", "non-indication", "absence"})


def chain_objection(stated: Naming, context: Naming, item: Evidence, language: str) -> str | None:
    """Why a path does not back a sentence that names its ends; None when nothing speaks against.

    `context`: the sentence before, where a pronoun refers to it.
    """
    reading = Reading.of(stated, context, item)
    if reason := _negation_objection(reading, language):
        return reason
    for hop in item.hops:
        triple = hop.triple
        aspect = triple.relation.aspect
        masked = stated.masked(triple.subject, triple.object)
        turned = turned_round(masked, aspect, topic_is_subject(triple.relation))
        if aspect not in SYMMETRIC and turned:
            return reasons.turned_round(language)
    if reading.hides_a_name:
        return None
    for claim in reading.claims():
        if reason := _objection(reading, claim, language):
            return reason
    return None


def foreign_name(stated: Naming, cited: Sequence[Evidence]) -> str | None:
    """A name that a claim about a cited path joins to it, and that no cited evidence holds."""
    ends = [
        e for item in cited for hop in item.hops for e in (hop.triple.subject, hop.triple.object)
    ]
    known = stated.signed(ends)
    for item in cited:
        if len(item.hops) < 2:
            continue
        for claim in Reading.of(stated, Naming("", ()), item).claims():
            for position in (*claim.lefts, *claim.rights):
                name = known.names[position]
                if not name.meant and not is_kind_word(name.text):
                    return name.text
    return None


def _objection(reading: Reading, claim: Claim, language: str) -> str | None:
    """What the path has against a claim."""
    rights = dict.fromkeys(reading.meant[right] for right in claim.rights)
    lefts = dict.fromkeys(reading.meant[left] for left in claim.lefts) or {claim.pool: None}
    pairs = ((left, right) for left in lefts for right in rights if left and right)
    objections = (_pair_objection(reading, claim, *pair, language) for pair in pairs)
    return next((reason for reason in objections if reason), None)


def _pair_objection(
    reading: Reading, claim: Claim, left: frozenset[int], right: frozenset[int], language: str
) -> str | None:
    if left & right and (claim.lefts or left == right):
        return None
    facts = reading.joined(left, right)
    negated = is_negated(claim.text)
    fitting = [t for t in facts if fits(claim.kinds, claim.text, t.relation, negated=negated)]
    if fitting:
        harm = _harm_in_course(reading, claim, left)
        if harm and not negated:
            return reasons.other_relation(harm.relation.label, language)
        denied = claim.lefts and negated and not harm and not any(map(_denies, fitting))
        return reasons.is_present(language) if denied else None
    if facts and claim.lefts:
        return reasons.other_relation(facts[0].relation.label, language)
    if _is_tolerated(reading, claim, left, right):
        return None
    one = min(left - right, default=min(left))
    labels = (reading.entities[one].label, reading.entities[min(right)].label)
    return reasons.not_directly(*labels, language)


def _harm_in_course(reading: Reading, claim: Claim, left: frozenset[int]) -> Triple | None:
    """What a path has against A in B, where the sentence says "A helps with C in B"."""
    if claim.middle is None or not claim.kinds & {"help", "treatment", "prevention"}:
        return None
    facts = reading.joined(left, reading.meant[claim.middle])
    return next((t for t in facts if t.relation.aspect in _DENYING), None)


def _is_tolerated(
    reading: Reading, claim: Claim, left: frozenset[int], right: frozenset[int]
) -> bool:
    """Whether it says that A helps with C in B, where A treats B and C is a symptom of B."""
    if claim.kinds != {"help"} or claim.middle is None:
        return False
    middle = reading.meant[claim.middle]
    helps = {fact.relation.aspect for fact in reading.joined(left, middle)}
    shows = {fact.relation.aspect for fact in reading.joined(middle, right)}
    return "treatment" in helps and "symptom" in shows


def _negation_objection(reading: Reading, language: str) -> str | None:
    """Whether the sentence denies what the path states, or states what a hop denies."""
    aspects = {hop.triple.relation.aspect for hop in reading.hops}
    if "absence" in aspects and not is_negated(reading.text):
        return reasons.is_absent(language)
    if "non-indication" in aspects and not is_negated(reading.text):
        return reasons.is_denied(language)
    labels = [hop.triple.relation.label for hop in reading.hops]
    ends = [entity.label for entity in reading.entities]
    if aspects & _DENYING or is_negated(" ".join([*labels, *ends])):
        return None
    told = _DIRECTLY.sub("\ue006", reading.text)
    clauses = re.split(r"[,;，；。]|\b(?:and|but)\b|但|而", told)
    denied = any(is_negated(c) and "\ue006" not in c for c in clauses if _has_sign(c))
    return reasons.is_present(language) if denied else None


def _denies(triple: Triple) -> bool:
    """Whether a fact is told by denying something."""
    return triple.relation.aspect in _DENYING or is_negated(triple.relation.label)


def _has_sign(text: str) -> bool:
    return any(SIGNS[0] <= ord(character) <= SIGNS[1] for character in text)

"""What a sentence makes of a path: its hops may be told, nothing may be concluded across them.

"A treats B, and B has symptom C" backs a sentence that tells these two facts, or that A and C are
connected; it does not back "A treats C". The sentence is read as claims: two neighbouring names
with a word for a kind of relation between them. Word lists, not grammar: clear cases in English and
Chinese are judged, the rest passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import or_

from bot.answering import phrases
from bot.citations import reasons
from bot.citations.claims import fits, is_kind_word, is_negated, kinds_in, turned_round
from bot.citations.naming import SIGNS, Naming, Signed
from kg.model import Entity, Evidence, Hop, Triple
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = ["chain_objection", "foreign_name"]

# What may stand between the names of one list, and what keeps two names from being one clause.
_IN_LIST = re.compile(
    r"\s*(?:,\s*(?:and|or)?|、|\band\b|\bor\b|和|与|及|以及|或)\s*(?:both\s+|the\s+)?",
    re.IGNORECASE,
)
_DIVIDES = re.compile(
    r"[,;:，；：。.!?()（）]|\b(?:and|but|or|which|who|whose|that|while|whereas|because|since|so|when|"
    r"where|if)\b|而|但|且|并|因|其",
    re.IGNORECASE,
)
# Where a list begins and where it ends; elsewhere its neighbour belongs to another clause.
_BEFORE_LIST = re.compile(r"(?:^|[.;:,，。；：]|\bboth|\bthe|的|与|以|：)\s*$", re.IGNORECASE)
_AFTER_LIST = re.compile(
    r"[\s).!?…。！？）]*$|\s*(?:[,;:，；：]|(?:in|of|for|with|during|among|by|as|because|since)\b|的|等)",
    re.IGNORECASE,
)
# "treatments for", "the symptoms of": what follows is told further on.
_LEADS = re.compile(r"\b(?:for|of|in|to|against)\s+(?:both\s+|the\s+|a\s+|an\s+)*$", re.IGNORECASE)
_IN_COURSE_OF = re.compile(
    r"\s+(?:in|of|during|with|from|due to|caused by)\s+(?:an?\s+|the\s+)?", re.I
)
# A 有助于 B 的 C: the second name says in whose course.
_OWNS = re.compile(r"\s*(?:患者|病人)?(?:的|中的|时的|(?:引起|导致|所致|伴发?)的)\s*")
# 用 A 治疗: the word for the relation comes after the second name.
_BY_MEANS_OF = re.compile(r"(?:使?用|以|服用?)\s*$")
_MEANS_END = re.compile(r"\s*(?:来|进行|以)?(?:治疗|缓解|预防|治愈|改善|减轻)")
_DIRECTLY = re.compile(r"\bdirect\w*|直接", re.IGNORECASE)
# A hop that says what harms, is not there or does not help.
_DENYING = frozenset({"contraindication", "non-indication", "absence"})


def chain_objection(stated: Naming, context: Naming, item: Evidence, language: str) -> str | None:
    """Why a path does not back a sentence that names its ends; None when nothing speaks against.

    `context`: the sentence before, where a pronoun refers to it.
    """
    reading = _Reading.of(stated, context, item)
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
        if reason := reading.objection(claim, language):
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
        for claim in _Reading.of(stated, Naming("", ()), item).claims():
            for position in (*claim.lefts, *claim.rights):
                name, meant = known.names[position]
                if not meant and not is_kind_word(name):
                    return name
    return None


@dataclass(frozen=True, slots=True)
class _Claim:
    """Names (by place) that the words of a text join, and the kinds of relation that these state.

    All `lefts` are joined to all `rights`; where a clause begins in between, each of `rights` to
    some entity of `pool`. `middle`: the name in whose course it is said to be, "in migraine".
    """

    kinds: frozenset[str]
    text: str
    rights: tuple[int, ...]
    lefts: tuple[int, ...] = ()
    middle: int | None = None
    pool: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sentence with signs for its names, and the path that it cites.

    `gaps[n]` stands before the n-th name; `pools[n]` are the entities that are named before it.
    """

    signed: Signed
    hops: tuple[Hop, ...]
    entities: tuple[Entity, ...]
    hides_a_name: bool
    gaps: tuple[str, ...]
    pools: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, stated: Naming, context: Naming, item: Evidence) -> _Reading:
        ends = [end for hop in item.hops for end in (hop.triple.subject, hop.triple.object)]
        entities = tuple({(e.key or e.label): e for e in ends}.values())
        signed = stated.signed(entities)
        found = frozenset().union(*(meant for _, meant in signed.names))
        hidden = any(stated.names(e) for n, e in enumerate(entities) if n not in found)
        hidden = hidden or any(is_kind_word(n) for e in entities for n in (e.label, *e.synonyms))
        before = frozenset().union(*(meant for _, meant in context.signed(entities).names))
        gaps = re.split(f"[{chr(SIGNS[0])}-{chr(SIGNS[1])}]", signed.text)
        pools = accumulate((meant for _, meant in signed.names), or_, initial=before)
        return cls(signed, item.hops, entities, hidden, tuple(gaps), tuple(pools))

    def claims(self) -> Iterator[_Claim]:
        """The claims of the sentence, in order."""
        for place in range(len(self.signed.names)):
            gap = self.gaps[place]
            if phrases.EACH["en"] in gap or phrases.EACH["zh"] in gap:
                continue  # stands for the names that are listed further on
            text = gap
            if _BY_MEANS_OF.search(gap) and (end := _MEANS_END.match(self.gaps[place + 1])):
                text += end.group()
            kinds = kinds_in(text)
            if not kinds:
                continue
            rights, middle = self._list_from(place), self._middle(place)
            if _OWNS.fullmatch(self.gaps[place + 1]) and place + 1 < len(self.signed.names):
                rights, middle = self._list_from(place + 1), place
            if place and not _DIVIDES.search(gap):
                yield _Claim(kinds, text, rights, self._list_to(place - 1), middle)
                continue
            clause = _DIVIDES.split(gap)[-1]
            pool = self.pools[place]
            if kinds_in(clause) and _LEADS.search(clause):
                pool = frozenset(range(len(self.entities)))
            yield _Claim(kinds, text, rights, pool=pool)

    def objection(self, claim: _Claim, language: str) -> str | None:
        """What the path has against a claim."""
        rights = dict.fromkeys(self._meant(right) for right in claim.rights)
        lefts = dict.fromkeys(self._meant(left) for left in claim.lefts) or {claim.pool: None}
        pairs = ((left, right) for left in lefts for right in rights if left and right)
        objections = (self._pair_objection(claim, *pair, language) for pair in pairs)
        return next((reason for reason in objections if reason), None)

    def _pair_objection(
        self, claim: _Claim, left: frozenset[int], right: frozenset[int], language: str
    ) -> str | None:
        if left & right and (claim.lefts or left == right):
            return None
        hops = [hop.triple for hop in self.hops if self._joins(hop, left, right)]
        negated = is_negated(claim.text)
        fitting = [t for t in hops if fits(claim.kinds, claim.text, t.relation, negated=negated)]
        if fitting:
            denied = claim.lefts and negated and not any(map(_denies, fitting))
            return reasons.is_present(language) if denied else None
        if hops and claim.lefts:
            return reasons.other_relation(hops[0].relation.label, language)
        if self._is_tolerated(claim, left, right):
            return None
        one = min(left - right, default=min(left))
        labels = (self.entities[one].label, self.entities[min(right)].label)
        return reasons.not_directly(*labels, language)

    def _is_tolerated(self, claim: _Claim, left: frozenset[int], right: frozenset[int]) -> bool:
        """ "A helps with C in B", where A treats B and C is a symptom of B."""
        if claim.kinds != {"help"} or claim.middle is None:
            return False
        middle = self._meant(claim.middle)
        helps = [h for h in self.hops if self._joins(h, left, middle)]
        shows = [h for h in self.hops if self._joins(h, middle, right)]
        return any(h.triple.relation.aspect == "treatment" for h in helps) and any(
            h.triple.relation.aspect == "symptom" for h in shows
        )

    def _joins(self, hop: Hop, left: frozenset[int], right: frozenset[int]) -> bool:
        ends = {self._position(hop.triple.subject), self._position(hop.triple.object)}
        return any({one, other} == ends for one in left for other in right)

    def _position(self, entity: Entity) -> int:
        keys = [e.key or e.label for e in self.entities]
        return keys.index(entity.key or entity.label)

    def _meant(self, place: int) -> frozenset[int]:
        return self.signed.names[place][1]

    def _list_from(self, place: int) -> tuple[int, ...]:
        """The names of the longest list that begins here."""
        whole = last = place
        while last + 1 < len(self.signed.names) and _IN_LIST.fullmatch(self.gaps[last + 1]):
            last += 1
            if _AFTER_LIST.match(self.gaps[last + 1]):
                whole = last
        return tuple(range(place, whole + 1))

    def _list_to(self, place: int) -> tuple[int, ...]:
        """The names of the longest list that ends here."""
        whole = first = place
        while first and _IN_LIST.fullmatch(self.gaps[first]):
            first -= 1
            if _BEFORE_LIST.search(self.gaps[first]):
                whole = first
        return tuple(range(whole, place + 1))

    def _middle(self, place: int) -> int | None:
        """The name that follows with "in", "during", "of"."""
        if place + 1 == len(self.signed.names):
            return None
        return place + 1 if _IN_COURSE_OF.fullmatch(self.gaps[place + 1]) else None


def _negation_objection(reading: _Reading, language: str) -> str | None:
    """Whether the sentence denies what the path states, or states what a hop denies."""
    aspects = {hop.triple.relation.aspect for hop in reading.hops}
    if "absence" in aspects and not is_negated(reading.signed.text):
        return reasons.is_absent(language)
    if "non-indication" in aspects and not is_negated(reading.signed.text):
        return reasons.is_denied(language)
    labels = [hop.triple.relation.label for hop in reading.hops]
    ends = [entity.label for entity in reading.entities]
    if aspects & _DENYING or is_negated(" ".join([*labels, *ends])):
        return None
    told = _DIRECTLY.sub("\ue006", reading.signed.text)
    clauses = re.split(r"[,;，；。]|\b(?:and|but)\b|但|而", told)
    denied = any(is_negated(c) and "\ue006" not in c for c in clauses if _has_sign(c))
    return reasons.is_present(language) if denied else None


def _denies(triple: Triple) -> bool:
    """Whether a fact is told by denying something."""
    return triple.relation.aspect in _DENYING or is_negated(triple.relation.label)


def _has_sign(text: str) -> bool:
    return any(SIGNS[0] <= ord(character) <= SIGNS[1] for character in text)

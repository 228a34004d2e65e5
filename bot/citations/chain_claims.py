"""How a sentence is read for the path that it cites: as claims.

A claim is two neighbouring names with a word for a kind of relation between them. Lists count as
one side of it ("A treats B and C"); where a clause begins in between ("A, which treats B"), the
other side may be any name before. Word lists, not grammar, for English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from operator import or_

from bot.answering import phrases
from bot.citations.claims import is_kind_word, kinds_in
from bot.citations.naming import SIGNS, Naming
from kg.model import Entity, Evidence, Hop, Triple

__all__ = ["Claim", "Reading"]

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
_BEFORE_LIST = re.compile(
    r"(?:^\s*|[.;:,]\s+|\b(?:both|the)\s+|[，。；：的与以]\s*)$", re.IGNORECASE
)
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
# 用 A 治疗, 对 A 有效: the word for the relation comes after the second name.
_BY_MEANS_OF = re.compile(r"(?:使?用|以|服用?|对于?)\s*$")
_MEANS_END = re.compile(
    r"\s*(?:来|进行|以|有)?(?:治疗|缓解|预防|治愈|改善|减轻)|\s*(?:有效|有帮助|有疗效)"
)


@dataclass(frozen=True, slots=True)
class Claim:
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
class Reading:
    """A sentence with signs for its names, and the path that it cites.

    `gaps[n]` stands before the n-th name, which means one of `meant[n]`; `pools[n]` are all that
    is named before it. `hides_a_name`: it may name something of the path that is not seen here.
    """

    text: str
    hops: tuple[Hop, ...]
    entities: tuple[Entity, ...]
    hides_a_name: bool
    gaps: tuple[str, ...]
    meant: tuple[frozenset[int], ...]
    pools: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, stated: Naming, context: Naming, item: Evidence) -> Reading:
        """The reading of a sentence; `context` is what a pronoun in it may refer to."""
        ends = [end for hop in item.hops for end in (hop.triple.subject, hop.triple.object)]
        entities = tuple({(e.key or e.label): e for e in ends}.values())
        signed = stated.signed(entities)
        meant = [frozenset() if name.shared else name.meant for name in signed.names]
        found = frozenset().union(*meant)
        hidden = any(stated.names(e) for n, e in enumerate(entities) if n not in found)
        hidden = hidden or any(is_kind_word(n) for e in entities for n in (e.label, *e.synonyms))
        before = frozenset().union(*(name.meant for name in context.signed(entities).names))
        gaps = re.split(f"[{chr(SIGNS[0])}-{chr(SIGNS[1])}]", signed.text)
        pools = accumulate(meant, or_, initial=before)
        return cls(
            signed.text, item.hops, entities, hidden, tuple(gaps), tuple(meant), tuple(pools)
        )

    def claims(self) -> Iterator[Claim]:
        """The claims of the sentence, in order."""
        listed = False
        for place in range(len(self.meant)):
            gap = self.gaps[place]
            if phrases.EACH["en"] in gap or phrases.EACH["zh"] in gap:
                listed = True
                continue  # stands for the names that are listed further on
            text = gap
            if _BY_MEANS_OF.search(gap) and (end := _MEANS_END.match(self.gaps[place + 1])):
                text += end.group()
            kinds = kinds_in(text)
            if not kinds:
                continue
            rights, middle = self._list_from(place), self._middle(place)
            if _OWNS.fullmatch(self.gaps[place + 1]) and place + 1 < len(self.meant):
                rights, middle = self._list_from(place + 1), place
            if place and not _DIVIDES.search(gap):
                yield Claim(kinds, text, rights, self._list_to(place - 1), middle)
                continue
            clause = _DIVIDES.split(gap)[-1]
            pool = self.pools[place]
            if listed or (kinds_in(clause) and _LEADS.search(clause)):
                pool = frozenset(range(len(self.entities)))
            yield Claim(kinds, text, rights, pool=pool)

    def joined(self, left: frozenset[int], right: frozenset[int]) -> list[Triple]:
        """The facts of the path that join an entity of the one side to one of the other."""
        return [hop.triple for hop in self.hops if self._joins(hop, left, right)]

    def _joins(self, hop: Hop, left: frozenset[int], right: frozenset[int]) -> bool:
        ends = {self._position(hop.triple.subject), self._position(hop.triple.object)}
        return any({one, other} == ends for one in left for other in right)

    def _position(self, entity: Entity) -> int:
        keys = [e.key or e.label for e in self.entities]
        return keys.index(entity.key or entity.label)

    def _list_from(self, place: int) -> tuple[int, ...]:
        """The names of the longest list that begins here."""
        whole = last = place
        while last + 1 < len(self.meant) and _IN_LIST.fullmatch(self.gaps[last + 1]):
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
        if place + 1 == len(self.meant):
            return None
        return place + 1 if _IN_COURSE_OF.fullmatch(self.gaps[place + 1]) else None

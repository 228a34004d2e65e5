"""Which chains are told in one sentence, and how such a sentence is built.

Words are chosen in bot.answering.chain_writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

from bot.answering import phrases
from bot.answering.statements import is_clause, roles_of
from kg.model import Entity, Evidence, Triple
from kg.qualifiers import qualifier

__all__ = ["ChainGroup", "entities_along", "grouped"]

MOST_ITEMS = 7  # in one sentence
# Told by their relations' labels: their facts are too different for one noun.
_NO_NOUN = frozenset({"regulation", "population"})

Shape = Literal["shared", "middle", "last"]


@dataclass(frozen=True, slots=True)
class ChainGroup:
    """Chains that are told in one sentence.

    *shared*: what stands between the same two ends in the same role to both ("both have …").
    *middle*: chains that differ in their middle alone. *last*: in their last entity alone; a
    chain of its own is one of these.
    """

    shape: Shape
    chains: tuple[Evidence, ...]


def entities_along(item: Evidence) -> tuple[Entity, ...]:
    """The entities of a chain from its first to its last, as it was walked."""
    first = item.hops[0]
    along = [first.triple.subject if first.forward else first.triple.object]
    along += [hop.triple.object if hop.forward else hop.triple.subject for hop in item.hops]
    return tuple(along)


def grouped(chains: Iterable[Evidence], language: str) -> list[ChainGroup]:
    """Chains by sentence, in the order of each sentence's first."""
    items = list(chains)
    middles = Counter(_middle(item, language) for item in items if not _shared(item))
    made: dict[tuple[Shape, Hashable], list[Evidence]] = {}
    for item in items:
        middle = _middle(item, language)
        shape = _shape(item, middle if middles[middle] > 1 else None)
        made.setdefault(shape, []).append(item)
    groups = [
        ChainGroup(shape, tuple(members[start : start + MOST_ITEMS]))
        for (shape, _), members in made.items()
        for start in range(0, len(members), MOST_ITEMS)
    ]
    # "Each of these … : one thing" would be odd.
    return [
        ChainGroup("last", g.chains) if g.shape == "middle" and len(g.chains) == 1 else g
        for g in groups
    ]


def _shape(item: Evidence, middle: Hashable) -> tuple[Shape, Hashable]:
    """The sentence that this chain belongs to; `middle` where others differ in the middle alone."""
    if shared := _shared(item):
        return "shared", shared
    return ("middle", middle) if middle else ("last", _last(item) or item.key)


def _shared(item: Evidence) -> Hashable:
    """What two-hop chains have in common whose middle has the same role to both ends."""
    if len(item.hops) != 2 or any(qualifier(h.triple, "population") for h in item.hops):
        return None
    one, other = (roles_of(hop.triple) for hop in item.hops)
    titles = [_titles(hop.triple) for hop in item.hops]
    if one.asked != other.asked or titles[0] != titles[1] or one.asked in _NO_NOUN:
        return None
    if phrases.telling(one.asked, "en") is None or phrases.telling(one.asked, "zh") is None:
        return None
    first, middle, last = entities_along(item)
    as_topic = [roles.topic.key == middle.key for roles in (one, other)]
    if None in (first.key, middle.key, last.key) or first.key == last.key:
        return None
    if as_topic[0] is not as_topic[1] and not one.symmetric:
        return None
    ends = frozenset({first.key, last.key})
    return one.asked, ends, one.symmetric or as_topic[0], titles[0]


def _middle(item: Evidence, language: str) -> Hashable:
    """What two-hop chains have in common that differ in their middle alone."""
    if len(item.hops) != 2 or not all(is_clause(hop.triple, language) for hop in item.hops):
        return None
    first, middle, last = entities_along(item)
    if None in (first.key, middle.key, last.key):
        return None
    return first.key, last.key, _relations(item), _people(item)


def _last(item: Evidence) -> Hashable:
    """What chains have in common that differ in their last entity alone."""
    if not item.hops[-1].forward:
        return None
    before = tuple(entity.key for entity in entities_along(item)[:-1])
    return before, _relations(item), _people(item)


def _relations(item: Evidence) -> Hashable:
    return tuple((hop.triple.relation, hop.forward, _titles(hop.triple)) for hop in item.hops)


def _people(item: Evidence) -> Hashable:
    return tuple(qualifier(hop.triple, "population") for hop in item.hops)


def _titles(triple: Triple) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source.title or source.name for source in triple.sources))

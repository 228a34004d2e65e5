"""Which chains are told in one sentence, and how such a sentence is built.

Words are chosen in bot.answering.chain_writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from bot.answering import phrases
from bot.answering.statements import is_clause, roles_of
from kg.model import Entity, Evidence, Triple
from kg.qualifiers import qualifier

__all__ = ["ChainGroup", "are_siblings", "entities_along", "grouped"]

MOST_ITEMS = 7  # in one sentence
# Told by their relations' labels: their facts are too different for one noun.
_NO_NOUN = frozenset({"regulation", "population"})

Shape = Literal["shared", "middle", "last"]
# Where along a chain others differ from it, and what they have in common with it.
Middle = tuple[int, Hashable]


@dataclass(frozen=True, slots=True)
class ChainGroup:
    """Chains that are told in one sentence.

    *shared*: what stands between the same two ends in the same role to both ("both have …").
    *middle*: chains that differ in one entity alone that is no end. *last*: in their last entity
    alone; a chain of its own is one of these. `place`: where along them they differ. `more`: goes
    on where another sentence stopped.
    """

    shape: Shape
    chains: tuple[Evidence, ...]
    place: int
    more: bool = False


def entities_along(item: Evidence) -> tuple[Entity, ...]:
    """The entities of a chain from its first to its last, as it was walked."""
    first = item.hops[0]
    along = [first.triple.subject if first.forward else first.triple.object]
    along += [hop.triple.object if hop.forward else hop.triple.subject for hop in item.hops]
    return tuple(along)


def grouped(chains: Iterable[Evidence], language: str) -> list[ChainGroup]:
    """Chains by sentence, in the order of each sentence's first."""
    items = list(chains)
    told = [item for item in items if not _shared(item)]
    middles = Counter(middle for item in told for middle in _middles(item, language))
    made: dict[tuple[Shape, int, Hashable], list[Evidence]] = {}
    for item in items:
        alike = [(middles[one], -one[0], one) for one in _middles(item, language)]
        count, _, middle = max(alike, default=(0, 0, None), key=lambda one: one[:2])
        made.setdefault(_shape(item, middle if count > 1 else None), []).append(item)
    return [
        group
        for (shape, place, _), members in made.items()
        for group in _sentences(shape, place, members)
    ]


def _sentences(shape: Shape, place: int, members: Iterable[Evidence]) -> Iterator[ChainGroup]:
    """Chains of one shape, at most `MOST_ITEMS` items in a sentence: what reads alike is one."""
    items: dict[str, list[Evidence]] = {}
    for item in members:
        items.setdefault(entities_along(item)[place].label, []).append(item)
    some = list(items.values())
    for start in range(0, len(some), MOST_ITEMS):
        told = tuple(item for alike in some[start : start + MOST_ITEMS] for item in alike)
        # "Each of these … : one thing" would be odd.
        odd = shape == "middle" and len(told) == 1
        yield ChainGroup("last" if odd else shape, told, -1 if odd else place, start > 0)


def are_siblings(item: Evidence) -> bool:
    """Whether a chain tells of its ends only that a third thing has both: "A and B cause C"."""
    if _shared(item) is None:
        return False
    roles = roles_of(item.hops[0].triple)
    return not roles.symmetric and roles.topic.key == entities_along(item)[1].key


def _shape(item: Evidence, middle: Middle | None) -> tuple[Shape, int, Hashable]:
    """The sentence that this chain belongs to; `middle` where others differ in that alone."""
    if shared := _shared(item):
        return "shared", 1, shared
    return ("middle", *middle) if middle else ("last", -1, _last(item) or item.key)


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


def _middles(item: Evidence, language: str) -> list[Middle]:
    """For each entity between the ends, what chains have in common that differ in it alone."""
    along = [entity.key for entity in entities_along(item)]
    if None in along or _shared(item):
        return []
    found: list[Middle] = []
    for place in range(1, len(along) - 1):
        if all(is_clause(hop.triple, language) for hop in item.hops[place - 1 : place + 1]):
            rest = (*along[:place], *along[place + 1 :])
            found.append((place, (rest, _relations(item), _people(item))))
    return found


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

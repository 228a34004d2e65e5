"""Whether a fact joins two entities that a question names, itself or by a narrower name.

"Late pregnancy" is a pregnancy and "stomach ulcer or bleeding" answers a question on stomach
ulcers: a name that holds the other as whole words counts, one that only shares words does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from kg.model import Entity, LinkedEntity, Triple
from kg.text import fold, is_cjk

__all__ = ["joins"]

_SHORTEST = {True: 2, False: 4}  # characters of a name that may stand inside another


def joins(triples: Iterable[Triple], entities: Sequence[LinkedEntity]) -> bool:
    """Whether the outer ends of a chain of triples stand for two different entities."""
    if len({entity.iri for entity in entities}) < 2:
        return False
    chain = list(triples)
    ends = (chain[0].subject, chain[0].object, chain[-1].subject, chain[-1].object)
    meant = [_meant(end, entities) for end in ends]
    return len(set().union(*meant)) > 1 and any(
        one - other for one in meant if one for other in meant if other and other != one
    )


def _meant(end: Entity, entities: Sequence[LinkedEntity]) -> frozenset[str]:
    """The entities of the question that this end is, or is a kind of."""
    own = frozenset(entity.iri for entity in entities if entity.iri == end.iri)
    if own:
        return own
    names = {_folded(name) for name in (end.label, *end.synonyms)}
    return frozenset(
        entity.iri
        for entity in entities
        if any(_holds(name, _folded(part)) for name in names for part in _names(entity))
    )


def _names(entity: LinkedEntity) -> tuple[str, str]:
    return entity.label, entity.mention


def _holds(name: str, part: str) -> bool:
    if name == part:
        return True
    chinese = is_cjk(part)
    if len(part) < _SHORTEST[chinese]:
        return False
    return part in name if chinese else f" {part} " in f" {name} "


@lru_cache(maxsize=65536)
def _folded(name: str) -> str:
    return fold(name)

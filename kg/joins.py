"""Whether a fact joins two entities that a question names, itself or by a narrower name.

"Stomach ulcer or bleeding" answers a question on stomach ulcers, "late pregnancy" is a pregnancy
and "dry cough" a cough: a name that ends with the other counts when both are of one type. Between
diseases it does not: yellow fever is no kind of fever, influenza (流行性感冒) none of cold (感冒).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from kg.model import Entity, LinkedEntity, Triple
from kg.text import fold, is_cjk

__all__ = ["joins"]

_SHORTEST = {True: 2, False: 4}  # characters of a name that may end another
_OR = re.compile(r"\s+or\s+|\s*/\s*|或")
_STAGES = ("早期", "中期", "晚期", "后期")  # Chinese puts the stage last: 妊娠晚期
_DISEASE = ("Disease", "疾病")


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
    own = frozenset(entity.iri for entity in entities if entity.iri == end.key)
    if own:
        return own
    names = (end.label, *end.synonyms)
    whole = {_folded(one) for name in names for one in (name, *_OR.split(name))}
    return frozenset(
        entity.iri
        for entity in entities
        for part in (_folded(entity.label), _folded(entity.mention))
        if part in whole
        or (_is_of_type(end, entity) and any(_is_kind(_folded(name), part) for name in names))
    )


def _is_of_type(end: Entity, entity: LinkedEntity) -> bool:
    own = next((one.type for one in entity.candidates if one.iri == entity.iri), None)
    return end.type == own and end.type not in _DISEASE


def _is_kind(name: str, part: str) -> bool:
    """Whether the name ends with the other, or adds a stage to it."""
    chinese = is_cjk(part)
    if len(part) < _SHORTEST[chinese]:
        return False
    if chinese:
        return name.endswith(part) or name in {part + stage for stage in _STAGES}
    return name.endswith(f" {part}")


@lru_cache(maxsize=65536)
def _folded(name: str) -> str:
    return fold(name)

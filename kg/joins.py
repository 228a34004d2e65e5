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

__all__ = ["Joining", "joins"]

_SHORTEST = {True: 2, False: 4}  # characters of a name that may end another
_OR = re.compile(r"\s+or\s+|\s*/\s*|或")
_STAGES = ("早期", "中期", "晚期", "后期")  # Chinese puts the stage last: 妊娠晚期
_DISEASE = ("Disease", "疾病")


def joins(triples: Iterable[Triple], entities: Sequence[LinkedEntity]) -> bool:
    """Whether the outer ends of a chain of triples stand for two different entities."""
    return Joining(entities)(triples)


class Joining:
    """`joins` for the entities of one question, whose names are looked at once."""

    def __init__(self, entities: Sequence[LinkedEntity]) -> None:
        self._iris = frozenset(entity.iri for entity in entities)
        self._named: dict[str, list[str]] = {}  # by name: whose it is
        self._kinds: list[tuple[str, str | None, frozenset[str], str]] = []
        for entity in entities:
            own = next((one.type for one in entity.candidates if one.iri == entity.iri), None)
            for name in dict.fromkeys((_folded(entity.label), _folded(entity.mention))):
                self._named.setdefault(name, []).append(entity.iri)
                if own not in _DISEASE and len(name) >= _SHORTEST[is_cjk(name)]:
                    self._kinds.append((entity.iri, own, *_narrower(name)))
        self._endings = tuple({ending for *_, ending in self._kinds} | set(_STAGES))

    def __call__(self, triples: Iterable[Triple]) -> bool:
        """Whether the outer ends of a chain stand for two different ones of the entities."""
        if len(self._iris) < 2:
            return False
        chain = list(triples)
        outer = chain if len(chain) == 1 else (chain[0], chain[-1])
        meant = [self._meant(end) for hop in outer for end in (hop.subject, hop.object)]
        return any(one - two for one in meant if one for two in meant if two and two != one)

    def _meant(self, end: Entity) -> frozenset[str]:
        """The entities of the question that this end is, or is a kind of."""
        if end.key in self._iris:
            return frozenset((end.key,))
        found: set[str] = set()
        for name in (end.label, *end.synonyms):
            folded, *parts = _forms(name)
            for form in (folded, *parts):
                found.update(self._named.get(form, ()))
            if folded.endswith(self._endings):
                found.update(
                    iri
                    for iri, own, staged, ending in self._kinds
                    if end.type == own and (folded.endswith(ending) or folded in staged)
                )
        return frozenset(found)


def _narrower(name: str) -> tuple[frozenset[str], str]:
    """The names of its stages, and how any other narrower name ends."""
    if is_cjk(name):
        return frozenset(name + stage for stage in _STAGES), name
    return frozenset(), f" {name}"


@lru_cache(maxsize=65536)
def _forms(name: str) -> tuple[str, ...]:
    """A name and the alternatives in it, folded."""
    parts = _OR.split(name)
    return tuple(map(_folded, (name, *parts) if len(parts) > 1 else (name,)))


@lru_cache(maxsize=65536)
def _folded(name: str) -> str:
    return fold(name)

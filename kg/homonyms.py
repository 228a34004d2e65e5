"""Which of several entities of one name a text means: by its spelling, its words and its facts.

In this order: what the words beside the name take it for (kg.senses); whether it has facts of the
asked aspect, itself as their topic; how well the name fits; whether the text's other entities
are its neighbours; what the rest of the text speaks for; how much the graph says of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.model import Candidate, Mention
from kg.profiles import Profile
from kg.senses import is_everyday, sense_around, sense_beside, sense_of
from kg.text import is_abbreviation, is_cjk, tokens

__all__ = ["Context", "choose", "homonyms", "is_meant", "spelled"]

# Candidates whose names match this much worse than the best are no homonyms of it.
_HOMONYM_MARGIN = 0.16
_HOMONYMS_COMPARED = 6


@dataclass(frozen=True, slots=True)
class Context:
    """The text around a name, what it asks for, and the entities that it names beyond doubt."""

    text: str
    aspects: Sequence[str]
    others: tuple[str, ...] = ()

    @property
    def is_shouted(self) -> bool:
        """Whether the text has no lower-case letter, so that capitals say nothing."""
        words = [token.text for token in tokens(self.text) if not is_cjk(token.text)]
        return len(words) > 2 and not any(c.islower() for word in words for c in word)

    def place_of(self, mention: Mention) -> Mention | None:
        """The mention where it stands in this text; None for a term that does not stand there."""
        stands = self.text[mention.start : mention.end] == mention.text
        return mention if stands and mention.text else None


def homonyms(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates whose names fit about equally well."""
    least = candidates[0].score - _HOMONYM_MARGIN if candidates else 0.0
    return [c for c in candidates if c.score >= least][:_HOMONYMS_COMPARED]


def is_meant(mention: Mention, found: Sequence[Candidate], context: Context) -> bool:
    """Whether a name stands for any of these at all.

    In "cold weather", "cold" is no illness, and what is low or positive is no gene.
    """
    place = context.place_of(mention)
    beside = sense_beside(context.text, place) if place else None
    senses = {sense_of(candidate) for candidate in found}
    if beside == "measurement":
        return senses != {"gene"}
    return (
        beside != "nature" or not is_everyday(mention.text) or not senses.isdisjoint({beside, None})
    )


def choose(
    mention: Mention,
    found: Sequence[Candidate],
    context: Context,
    profiles: Mapping[str, Profile],
) -> Candidate:
    """The candidate that the text means most likely; equal ones in the order of their IRIs."""
    return max(found, key=lambda c: (*_fit(mention, c, context, profiles[c.iri]), c.iri))


def _fit(
    mention: Mention, candidate: Candidate, context: Context, profile: Profile
) -> tuple[bool, int, bool, float, bool, bool, bool, int]:
    """How well a candidate fits the text, the surest signs first.

    A better name goes before facts that only name it at their other end: "allergy treatment" is
    not about the medicine of that brand, though the medicine treats something.
    """
    place = context.place_of(mention)
    sense = sense_of(candidate)
    beside = sense_beside(context.text, place) if place else None
    around = sense_around(context.text, place, context.aspects) if place else None
    capitals = is_abbreviation(mention.text) and not context.is_shouted
    return (
        capitals and candidate.how == "exact",  # COLD is not how anyone writes the word cold
        0 if beside is None or sense is None else 1 if beside == sense else -1,
        profile.straight(context.aspects),
        round(candidate.score, 2),
        not profile.joined.isdisjoint(context.others),
        around is not None and around == sense,
        profile.touches(context.aspects),
        profile.about,
    )


def spelled(mention: Mention, context: Context) -> str:
    """The name as it is looked up: capitals say nothing in a text that has no other letters.

    Else "COLD" is the abbreviation of that spelling before anything that is called cold.
    """
    if context.is_shouted and is_abbreviation(mention.text):
        return mention.text.lower()
    return mention.text

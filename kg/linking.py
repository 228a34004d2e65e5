"""Mention → entity: chooses among the candidates that the graph names, and keeps the others.

Order of trust: exact, folded, an abbreviation that the text defines, fuzzy. Among homonyms the
one that has facts of the asked aspect wins, then the better name, then the one with more facts.
"""

from __future__ import annotations

from collections.abc import Sequence

from kg.mentions import defined_abbreviations, longest
from kg.model import Candidate, LinkedEntity, Mention
from kg.ranking.order import answers
from kg.reading import Reading

__all__ = ["link"]

# Candidates whose names match this much worse than the best are no homonyms of it.
_HOMONYM_MARGIN = 0.16
_HOMONYMS_COMPARED = 6


def link(
    text: str, mentions: Sequence[Mention], aspects: Sequence[str], reading: Reading
) -> tuple[LinkedEntity, ...]:
    """The entities that a text speaks of, each once, in order of their first mention."""
    defined = defined_abbreviations(text, mentions)
    linked: dict[str, LinkedEntity] = {}
    for mention in longest(mentions):
        stands_for = defined.get(mention.text)
        candidates = reading.candidates(stands_for.text if stands_for else mention.text)
        if not candidates:
            continue
        best = _choose(candidates, aspects, reading)
        how = "abbreviation" if stands_for else best.how
        linked.setdefault(
            best.iri,
            LinkedEntity(
                mention.text, best.iri, best.label, best.score, how, candidates=candidates
            ),
        )
    return tuple(linked.values())


def _choose(candidates: Sequence[Candidate], aspects: Sequence[str], reading: Reading) -> Candidate:
    least = candidates[0].score - _HOMONYM_MARGIN
    homonyms = [c for c in candidates if c.score >= least][:_HOMONYMS_COMPARED]
    if len(homonyms) == 1:
        return homonyms[0]
    return max(homonyms, key=lambda c: (_fit(c, aspects, reading), c.iri))


def _fit(
    candidate: Candidate, aspects: Sequence[str], reading: Reading
) -> tuple[bool, float, bool, int]:
    """What it has of what is asked, how well the name fits, how much the graph says of it.

    A better name goes before facts that only name it at their other end: "allergy treatment" is
    not about the medicine of that brand, though the medicine treats something.
    """
    triples = reading.triples(candidate.iri).triples
    asked = [t for t in triples if t.relation.aspect in aspects]
    about = [t for t in triples if answers(t, candidate.iri)]
    straight = [t for t in about if t.relation.aspect in aspects]
    return (bool(straight), round(candidate.score, 2), bool(asked), len(about))

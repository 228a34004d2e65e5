"""A relation's label and aspect: the source's own words, else our vocabulary, else its name."""

from __future__ import annotations

from collections.abc import Collection

from kg.aspects import ASPECTS, aspect_of_relation
from kg.local.cards import Card, known_card
from kg.local.snapshot import Snapshot
from kg.model import Relation

__all__ = ["relation_of", "relations_of"]


def relations_of(snapshot: Snapshot, iris: Collection[str], language: str) -> dict[str, Relation]:
    """The relations of these IRIs, labelled in the language; worked out once per snapshot."""
    known = snapshot.known_relations.setdefault(language, {})
    new = sorted(set(iris) - known.keys())
    cards = snapshot.cards(new)
    known.update({iri: relation_of(snapshot, iri, cards.get(iri), language) for iri in new})
    return {iri: known[iri] for iri in iris}


def relation_of(snapshot: Snapshot, iri: str, card: Card | None, language: str) -> Relation:
    """The relation of this IRI, labelled in the language."""
    label = snapshot.label(iri, card, language)
    for one in (card, known_card(iri)):
        if one is not None and one.aspect in ASPECTS:
            return Relation(iri, label, one.aspect or "other")
    aspect = aspect_of_relation(label)
    if aspect == "other":  # the label of another language may say more
        aspect = aspect_of_relation(snapshot.label(iri, card, "en"))
    return Relation(iri, label, aspect)

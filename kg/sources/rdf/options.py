"""Properties that a user names as those of labels, synonyms and descriptions."""

from __future__ import annotations

import json

from pyoxigraph import NamedNode

from kg.errors import BadInput
from kg.sources.statements import ImportOptions
from kg.sources.vocabulary import (
    DC,
    DCTERMS,
    FOAF,
    GC,
    OBO,
    OBO_IN_OWL,
    OWL,
    RDF,
    RDFS,
    RDFS_LABEL,
    SCHEMAS,
    SKOS,
)

__all__ = ["PREFIXES", "meant_properties", "property_iri", "settings_of"]

PREFIXES = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "skos": SKOS,
    "dcterms": DCTERMS,
    "dct": DCTERMS,
    "dc": DC,
    "foaf": FOAF,
    "schema": SCHEMAS[0],
    "obo": OBO,
    "oboInOwl": OBO_IN_OWL,
    "oio": OBO_IN_OWL,
    "gc": GC,
    "wdt": "http://www.wikidata.org/prop/direct/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
}
_SCHEMES = ("http:", "https:", "urn:", "tag:", "info:", "did:")


def property_iri(text: str) -> str:
    """The IRI of a property, given whole (also in angle brackets) or with a known prefix."""
    iri = text.strip().removeprefix("<").removesuffix(">")
    prefix, _, local = iri.partition(":")
    if prefix in PREFIXES and not local.startswith("//"):
        iri = PREFIXES[prefix] + local if local else ""
    elif not iri.lower().startswith(_SCHEMES):
        iri = ""
    try:
        NamedNode(iri)
    except ValueError:
        iri = ""
    if not iri:
        raise BadInput(
            f"{text!r} is no property: give its whole IRI, or one of the prefixes "
            f"{', '.join(PREFIXES)} and a name, such as skos:prefLabel."
        )
    return iri


def meant_properties(options: ImportOptions) -> dict[str, NamedNode]:
    """Each property that the user named → the one that Graphcite knows for its meaning."""
    roles = (
        (options.label_properties, RDFS_LABEL),
        (options.synonym_properties, SKOS + "altLabel"),
        (options.description_properties, DCTERMS + "description"),
    )
    meant: dict[str, NamedNode] = {}
    for properties, known in roles:
        for iri in map(property_iri, properties):
            if meant.setdefault(iri, NamedNode(known)).value != known:
                raise BadInput(
                    f"{iri} cannot be two of label, synonym and description: name it once."
                )
    return meant


def settings_of(meant: dict[str, NamedNode]) -> str:
    """The same for the same properties; empty when there are none."""
    pairs = sorted((iri, known.value) for iri, known in meant.items())
    return json.dumps(pairs) if pairs else ""

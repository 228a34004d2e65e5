"""Where labels, synonyms and descriptions of RDF come from: known and named properties, SKOS-XL."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import Literal

from kg.deadline import Deadline
from kg.errors import BadInput
from kg.local import LocalGraph
from kg.sources import import_source
from kg.sources.rdf.importer import RdfImporter
from kg.sources.rdf.options import property_iri
from kg.sources.statements import ImportOptions, Statement
from kg.sources.vocabulary import DCTERMS, RDFS_LABEL, SKOS

PREFIXES = """
@prefix e: <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix schema: <https://schema.org/> .
@prefix old: <http://schema.org/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix dc: <http://purl.org/dc/elements/1.1/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""


def read(path: Path, turtle: str, options: ImportOptions | None = None) -> list[Statement]:
    path.write_text(PREFIXES + turtle)
    return list(RdfImporter([path], options).statements(lambda *_: None))


@pytest.mark.parametrize(
    ("label", "synonym", "description"),
    [
        ("rdfs:label", "skos:altLabel", "rdfs:comment"),
        ("skos:prefLabel", "skos:hiddenLabel", "skos:definition"),
        ("schema:name", "schema:alternateName", "schema:description"),
        ("old:name", "old:alternateName", "old:description"),
        ("rdfs:label", "oio:hasExactSynonym", "obo:IAO_0000115"),
        ("rdfs:label", "oio:hasRelatedSynonym", "dcterms:description"),
        ("dcterms:title", "oio:hasNarrowSynonym", "dc:description"),
        ("dc:title", "oio:hasBroadSynonym", "dc:description"),
        ("foaf:name", "skos:altLabel", "rdfs:comment"),
    ],
)
def test_known_properties(tmp_path: Path, label: str, synonym: str, description: str) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(
        f'{PREFIXES} e:a {label} "gout"@en ; {synonym} "podagra"@en ; {description} "It hurts." ; '
        "e:p e:b ."
    )
    import_source(tmp_path / "graph", None, [path])
    graph = LocalGraph(tmp_path / "graph")
    soon = Deadline.after(9)
    for name in ("gout", "podagra"):
        assert [found.label for found in graph.candidates(name, "en", soon)] == ["gout"]
    (entity,) = graph.describe(["http://e/a"], "en", soon).values()
    assert (entity.synonyms, entity.description) == (("podagra",), "It hurts.")
    graph.close()


def test_properties_that_the_user_names(tmp_path: Path) -> None:
    options = ImportOptions(
        label_properties=("http://e/called",),
        synonym_properties=("<http://e/alias>", "dcterms:alternative"),
        description_properties=("http://e/says",),
    )
    turtle = 'e:a e:called "x"@en ; e:alias "y" ; dcterms:alternative "z" ; e:says "s" ; e:p "p" .'
    found = {(s.predicate.value, s.object) for s in read(tmp_path / "a.ttl", turtle, options)}
    assert found == {
        (RDFS_LABEL, Literal("x", language="en")),
        (SKOS + "altLabel", Literal("y")),
        (SKOS + "altLabel", Literal("z")),
        (DCTERMS + "description", Literal("s")),
        ("http://e/p", Literal("p")),
    }


def test_a_named_property_that_leads_to_a_thing_stays_a_relation(tmp_path: Path) -> None:
    options = ImportOptions(label_properties=("http://e/called",))
    (found,) = read(tmp_path / "a.ttl", "e:a e:called e:b .", options)
    assert found.predicate.value == "http://e/called"


def test_other_options_are_another_import(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(f'{PREFIXES} e:a e:called "x" .')
    plain = RdfImporter([path]).settings
    named, again, other = (
        RdfImporter([path], ImportOptions(**{role: (text,)})).settings
        for role, text in (
            ("label_properties", "http://e/called"),
            ("label_properties", " <http://e/called>"),
            ("synonym_properties", "http://e/called"),
        )
    )
    assert named == again and len({plain, named, other}) == 3


@pytest.mark.parametrize(
    ("text", "iri"),
    [
        ("skos:prefLabel", SKOS + "prefLabel"),
        ("schema:name", "https://schema.org/name"),
        ("<http://e/p>", "http://e/p"),
        ("https://e/p", "https://e/p"),
        ("urn:x:p", "urn:x:p"),
        ("wdt:P1813", "http://www.wikidata.org/prop/direct/P1813"),
    ],
)
def test_how_a_property_may_be_written(text: str, iri: str) -> None:
    assert property_iri(text) == iri


@pytest.mark.parametrize(
    "text", ["", "name", "skos:", "e:name", "http://e/ x", "skos:pref Label", "<>", ":x", "C:\\x"]
)
def test_what_is_no_property(text: str) -> None:
    with pytest.raises(BadInput, match="such as skos:prefLabel"):
        property_iri(text)


def test_one_property_has_one_meaning(tmp_path: Path) -> None:
    options = ImportOptions(label_properties=("rdfs:label",), synonym_properties=("rdfs:label",))
    with pytest.raises(BadInput, match="cannot be two of"):
        RdfImporter([tmp_path / "a.ttl"], options)


def test_labels_that_are_nodes(tmp_path: Path) -> None:
    found = read(
        tmp_path / "a.ttl",
        """
        e:l1 a xl:Label ; xl:literalForm "gout"@en ; dcterms:created "2020" .
        e:a xl:prefLabel e:l1 ; xl:altLabel [ xl:literalForm "podagra"@en ] ; e:p e:b .
        e:b xl:hiddenLabel e:l2 ; xl:prefLabel e:nowhere .
        e:l2 xl:literalForm "b" , "bb" .
        """,
    )
    stated = {(str(s.subject), s.predicate.value, str(s.object)) for s in found}
    assert stated == {
        ("<http://e/l1>", DCTERMS + "created", '"2020"'),
        ("<http://e/a>", "http://e/p", "<http://e/b>"),
        ("<http://e/a>", SKOS + "prefLabel", '"gout"@en'),
        ("<http://e/a>", SKOS + "altLabel", '"podagra"@en'),
        ("<http://e/b>", SKOS + "hiddenLabel", '"b"'),
        ("<http://e/b>", SKOS + "hiddenLabel", '"bb"'),
        ("<http://e/b>", "http://www.w3.org/2008/05/skos-xl#prefLabel", "<http://e/nowhere>"),
    }

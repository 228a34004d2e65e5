"""IRIs to short identifiers and back."""

from __future__ import annotations

import pytest
from pyoxigraph import NamedNode

from kg.sources.curies import canonical, curie_of, iri_of_curie, readable_end


@pytest.mark.parametrize(
    ("iri", "curie"),
    [
        ("http://purl.obolibrary.org/obo/HP_0001166", "HP:0001166"),
        ("https://omim.org/entry/154700", "OMIM:154700"),
        ("http://www.orpha.net/ORDO/Orphanet_558", "ORPHA:558"),
        ("https://go.drugbank.com/drugs/DB00669", "DrugBank:DB00669"),
        ("https://www.deciphergenomics.org/syndrome/1", "DECIPHER:1"),
        ("https://identifiers.org/mesh:D008881", "MESH:D008881"),
        ("http://www.wikidata.org/entity/Q133823", "wikidata:Q133823"),
        ("http://example.org/x", None),
    ],
)
def test_curies(iri: str, curie: str | None) -> None:
    assert curie_of(iri) == curie
    if curie and curie.startswith(("HP:", "OMIM:", "ORPHA:", "DECIPHER:")):
        assert iri_of_curie(curie) == iri


def test_readable_ends_and_odd_identifiers() -> None:
    assert readable_end("http://e/x#hasSideEffect") == "has side effect"
    assert readable_end("http://e/x/DOID_6364") == "DOID:6364"
    assert readable_end("http://e/") and readable_end("urn:x")
    assert NamedNode(iri_of_curie('a b"<>')).value.startswith("urn:graphcite:term:")


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("MSH:D003924", "MESH:D003924"),
        ("mesh:D003924", "MESH:D003924"),
        ("UMLS_CUI:C0011860", "UMLS:C0011860"),
        ("MIM:125853", "OMIM:125853"),
        ("ORDO:558", "ORPHA:558"),
        ("Orphanet:558", "ORPHA:558"),
        ("SNOMEDCT_US_2023_03_01:44054006", "SNOMEDCT:44054006"),
        ("NCI:C26747", "NCIT:C26747"),
        ("DOID:9352", "DOID:9352"),
        ("https://omim.org/entry/125853", "OMIM:125853"),
        ("https://identifiers.org/pubchem.compound:4091", "PUBCHEM.COMPOUND:4091"),
        ("http://example.org/x", "http://example.org/x"),
        ("no prefix", "no prefix"),
        ("MSH:", "MSH:"),
    ],
)
def test_prefixes_have_one_spelling(written: str, ours: str) -> None:
    assert canonical(written) == ours


@pytest.mark.parametrize(
    "curie",
    [
        "MESH:D003924",
        "UMLS:C0011860",
        "DrugBank:DB00331",
        "OMIM:125853",
        "ORPHA:558",
        "HP:0001166",
        "NCIT:C26747",
        "SNOMEDCT:44054006",
        "RXNORM:6809",
        "ATC:A10BA02",
        "ICD10CM:E11.9",
        "PUBCHEM.COMPOUND:4091",
        "NCBIGene:2200",
        "DECIPHER:1",
    ],
)
def test_a_curie_comes_back_from_its_iri(curie: str) -> None:
    assert canonical(iri_of_curie(curie)) == curie

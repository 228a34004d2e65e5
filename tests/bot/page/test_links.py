"""Identifiers become links to known hosts only."""

from __future__ import annotations

import pytest

from bot.page.links import is_known, link_of


@pytest.mark.parametrize(
    ("reference", "host"),
    [
        ("PMID:12345678", "https://pubmed.ncbi.nlm.nih.gov/12345678/"),
        ("OMIM:154700", "https://omim.org/entry/154700"),
        ("ORPHA:558", "https://www.orpha.net/en/disease/detail/558"),
        ("HP:0001166", "https://hpo.jax.org/browse/term/HP:0001166"),
        ("DOID:6364", "https://disease-ontology.org/term/DOID:6364/"),
        ("UBERON:0000955", "http://purl.obolibrary.org/obo/UBERON_0000955"),
        ("DrugBank:DB00669", "https://go.drugbank.com/drugs/DB00669"),
        ("MESH:D008881", "https://meshb.nlm.nih.gov/record/ui?ui=D008881"),
        ("ICD10CM:G43.9", "https://www.icd10data.com/search?s=G43.9"),
        ("UMLS:C0149931", "https://uts.nlm.nih.gov/uts/umls/concept/C0149931"),
        ("https://pubmed.ncbi.nlm.nih.gov/1/", "https://pubmed.ncbi.nlm.nih.gov/1/"),
    ],
)
def test_known_identifiers_have_an_address(reference: str, host: str) -> None:
    assert link_of(reference) == host


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "PMID:",
        "PMID:12/../evil",
        "PMID:1\n2",
        "EVIL:1",
        "javascript:alert(1)",
        'HP:1"><script>',
        "https://evil.test/",
        "https://pubmed.ncbi.nlm.nih.gov.evil.test/",
        "https://pubmed.ncbi.nlm.nih.gov@evil.test/",
        "https://omim.org:8080/",
        "https://omim.org\\@evil.test/",
        "https://[::1",
        "MESH:偏头痛",
        "plain words",
    ],
)
def test_everything_else_stays_text(reference: str) -> None:
    assert link_of(reference) is None


def test_known_means_http_on_a_known_host() -> None:
    assert is_known("https://en.wikipedia.org/wiki/Migraine")
    assert not is_known("ftp://en.wikipedia.org/")
    assert not is_known("https://en.wikipedia.org:notaport/")

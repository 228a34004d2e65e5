"""Identifiers and references → addresses of hosts that we know. Anything else stays plain text.

Addresses are built here from the parts of an identifier, never taken from a graph or a model, so
that a click cannot lead to a host that somebody wrote into a file.
"""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

__all__ = ["is_known", "link_of"]

_PURL = "http://purl.obolibrary.org/obo/{prefix}_{id}"
_DIGITS = re.compile(r"\d{1,10}")
_WORD = re.compile(r"[A-Za-z0-9.\-]{1,30}")

# Prefix as written in the field, lower case → what its local part must look like, its address.
_HOSTS: dict[str, tuple[re.Pattern[str], str]] = {
    "pmid": (_DIGITS, "https://pubmed.ncbi.nlm.nih.gov/{id}/"),
    "pmc": (re.compile(r"(?:PMC)?\d{1,10}"), "https://www.ncbi.nlm.nih.gov/pmc/articles/{id}/"),
    "doi": (re.compile(r"10\.\d{4,9}/[^\s\"<>\\]{1,200}"), "https://doi.org/{id}"),
    "omim": (_DIGITS, "https://omim.org/entry/{id}"),
    "mim": (_DIGITS, "https://omim.org/entry/{id}"),
    "orpha": (_DIGITS, "https://www.orpha.net/en/disease/detail/{id}"),
    "orphanet": (_DIGITS, "https://www.orpha.net/en/disease/detail/{id}"),
    "hp": (re.compile(r"\d{7}"), "https://hpo.jax.org/browse/term/HP:{id}"),
    "doid": (_DIGITS, "https://disease-ontology.org/term/DOID:{id}/"),
    "mondo": (re.compile(r"\d{7}"), "https://monarchinitiative.org/MONDO:{id}"),
    "uberon": (re.compile(r"\d{7}"), _PURL),
    "chebi": (_DIGITS, "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:{id}"),
    "drugbank": (re.compile(r"DB\d{5}"), "https://go.drugbank.com/drugs/{id}"),
    "mesh": (re.compile(r"[A-Z]\d{3,12}"), "https://meshb.nlm.nih.gov/record/ui?ui={id}"),
    "umls": (re.compile(r"C\d{7}"), "https://uts.nlm.nih.gov/uts/umls/concept/{id}"),
    "rxnorm": (_DIGITS, "https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm={id}"),
    "rxcui": (_DIGITS, "https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm={id}"),
    "icd10cm": (_WORD, "https://www.icd10data.com/search?s={id}"),
    "icd10": (_WORD, "https://icd.who.int/browse10/2019/en#/{id}"),
    "icd-10": (_WORD, "https://icd.who.int/browse10/2019/en#/{id}"),
    "icd11": (_WORD, "https://icd.who.int/browse/2024-01/mms/en#search={id}"),
    "snomedct": (_DIGITS, "https://browser.ihtsdotools.org/?perspective=full&conceptId1={id}"),
    "sctid": (_DIGITS, "https://browser.ihtsdotools.org/?perspective=full&conceptId1={id}"),
    "atc": (_WORD, "https://www.whocc.no/atc_ddd_index/?code={id}"),
    "atc_code": (_WORD, "https://www.whocc.no/atc_ddd_index/?code={id}"),
    "ncit": (
        re.compile(r"C\d{2,8}"),
        "https://ncit.nci.nih.gov/ncitbrowser/ConceptReport.jsp?dictionary=NCI_Thesaurus&code={id}",
    ),
    "hgnc": (_DIGITS, "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:{id}"),
    "ncbigene": (_DIGITS, "https://www.ncbi.nlm.nih.gov/gene/{id}"),
    "wikidata": (re.compile(r"[QP]\d{1,12}"), "https://www.wikidata.org/wiki/{id}"),
    "medlineplus": (_WORD, "https://medlineplus.gov/{id}.html"),
}

_KNOWN = frozenset(
    host for _, address in _HOSTS.values() if (host := urlsplit(address).hostname)
) | {
    "en.wikipedia.org",
    "zh.wikipedia.org",
    "dbpedia.org",
    "dailymed.nlm.nih.gov",
    "www.nhs.uk",
    "www.nice.org.uk",
    "www.who.int",
    "www.cdc.gov",
    "www.fda.gov",
    "www.ncbi.nlm.nih.gov",
    "creativecommons.org",
}


def link_of(reference: str) -> str | None:
    """The address of an identifier such as PMID:123, or of a web page on a known host."""
    if reference.startswith(("https://", "http://")):
        return reference if is_known(reference) else None
    prefix, separator, local = reference.partition(":")
    known = _HOSTS.get(prefix.strip().lower())
    if not separator or known is None:
        return None
    pattern, address = known
    local = local.strip()
    if not pattern.fullmatch(local):
        return None
    return address.format(prefix=prefix.strip().upper(), id=quote(local, safe="/.-"))


def is_known(address: str) -> bool:
    """Whether this is the address of a web page on a host that we know, on its usual port."""
    if re.search(r"[\s\x00-\x1f\\]", address):
        return False
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and port is None
        and parts.username is None
        and (parts.hostname or "") in _KNOWN
    )

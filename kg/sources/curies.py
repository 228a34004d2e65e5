"""IRIs of well-known vocabularies to short identifiers (CURIEs) and back.

Only patterns that are sure: an IRI that none fits has no CURIE. Nothing is looked up.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

__all__ = ["curie_of", "iri_of_curie", "readable_end", "reference_of"]

# (pattern of the whole IRI, the CURIE it stands for)
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), curie)
    for pattern, curie in (
        (r"https?://purl\.obolibrary\.org/obo/([A-Za-z]+)_([A-Za-z0-9]+)", r"\1:\2"),
        (r"https?://(?:www\.)?omim\.org/(?:entry|phenotypicSeries)/(?:MIM:)?(\w+)", r"OMIM:\1"),
        (r"https?://www\.orpha\.net/ORDO/Orphanet_(\w+)", r"ORPHA:\1"),
        (
            r"https?://(?:www\.)?(?:deciphergenomics\.org|decipher\.sanger\.ac\.uk)/syndrome/(\d+)",
            r"DECIPHER:\1",
        ),
        (r"https?://(?:www\.|go\.)?drugbank\.(?:ca|com)/drugs/(DB\d+)", r"DrugBank:\1"),
        (r"https?://(?:www\.)?wikidata\.org/(?:entity|wiki)/([QP]\d+)", r"wikidata:\1"),
        (r"https?://id\.nlm\.nih\.gov/mesh/(?:\d+/)?([A-Z]\d+)", r"MESH:\1"),
        (r"https?://meshb\.nlm\.nih\.gov/record/ui\?ui=([A-Z]\d+)", r"MESH:\1"),
        (r"https?://(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed/(\d+)/?", r"PMID:\1"),
        (r"https?://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)/?", r"PMID:\1"),
        (r"https?://(?:www\.)?ncbi\.nlm\.nih\.gov/gene/(\d+)", r"NCBIGene:\1"),
        (r"https?://uts\.nlm\.nih\.gov/uts/umls/concept/(C\d+)", r"UMLS:\1"),
        (r"https?://linkedlifedata\.com/resource/umls/id/(C\d+)", r"UMLS:\1"),
        (r"https?://snomed\.info/(?:id|sct)/(\d+)", r"SNOMEDCT:\1"),
        (
            r"https?://mor\.nlm\.nih\.gov/RxNav/search\?searchBy=RXCUI&searchTerm=(\d+)",
            r"RXNORM:\1",
        ),
        (r"https?://purl\.bioontology\.org/ontology/([A-Z0-9]+)/([\w.-]+)", r"\1:\2"),
        (r"https?://id\.who\.int/icd/release/\d+/(?:[\w-]+/)*([A-Z0-9.]+)", r"ICD:\1"),
        (r"https?://icd\.who\.int/browse10/\d+/en#/?([A-Z][\w.]+)", r"ICD10:\1"),
        (r"https?://identifiers\.org/pubmed[:/](\d+)", r"PMID:\1"),
        (r"https?://doi\.org/(10\..+)", r"doi:\1"),
    )
)
_REGISTRY = re.compile(r"https?://(?:identifiers\.org|bioregistry\.io)/([\w.]+)[:/](.+)")
_OBO_ID = re.compile(r"([A-Za-z][A-Za-z0-9]*):([A-Za-z0-9]+)")
_DIRECT = {
    "OMIM": "https://omim.org/entry/",
    "MIM": "https://omim.org/entry/",
    "ORPHA": "http://www.orpha.net/ORDO/Orphanet_",
    "Orphanet": "http://www.orpha.net/ORDO/Orphanet_",
    "DECIPHER": "https://www.deciphergenomics.org/syndrome/",
}


@lru_cache(maxsize=16384)
def curie_of(iri: str) -> str | None:
    """HP:0001166 for its OBO IRI, and so on; None where no pattern fits."""
    for pattern, curie in _PATTERNS:
        if match := pattern.fullmatch(iri):
            return match.expand(curie)
    if match := _REGISTRY.fullmatch(iri):
        prefix, local = match.groups()
        return local if local.lower().startswith(prefix.lower() + ":") else f"{prefix}:{local}"
    return None


def iri_of_curie(identifier: str) -> str:
    """The IRI of an OBO, OMIM, Orphanet or DECIPHER identifier; other words become a URN."""
    prefix, _, local = identifier.partition(":")
    if prefix in _DIRECT and local:
        return _DIRECT[prefix] + quote(local, safe="")
    if re.fullmatch(r"https?://[^\s<>\"{}|^`\\]+", identifier):
        return identifier
    if match := _OBO_ID.fullmatch(identifier):
        return f"http://purl.obolibrary.org/obo/{match.group(1)}_{match.group(2)}"
    return f"urn:graphcite:term:{quote(identifier, safe=':')}"


def reference_of(value: str) -> str:
    """A reference as it is shown: PMID:n for PubMed addresses, otherwise what was given."""
    curie = curie_of(value) if value.startswith("http") else None
    return curie if curie and curie.startswith(("PMID:", "OMIM:", "ORPHA:", "doi:")) else value


def readable_end(iri: str) -> str:
    """Words for an IRI without a label: its CURIE, else its last part with camel case split."""
    if curie := curie_of(iri):
        return curie
    end = re.split(r"[#/:]", iri.rstrip("#/:"))[-1] or iri
    if re.fullmatch(r"[A-Z]+_\d+", end):
        return end.replace("_", ":")
    end = re.sub(r"([a-z])([A-Z][a-z])", lambda m: f"{m.group(1)} {m.group(2).lower()}", end)
    return " ".join(end.replace("_", " ").split()) or iri

"""IRIs of well-known vocabularies to short identifiers (CURIEs) and back.

Only patterns that are sure: an IRI that none fits has no CURIE. Nothing is looked up.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

__all__ = ["canonical", "curie_of", "iri_of_curie", "readable_end", "reference_of"]

# (pattern of the whole IRI, prefix of the CURIE it stands for; None: the first group is the prefix)
_PATTERNS: tuple[tuple[re.Pattern[str], str | None], ...] = tuple(
    (re.compile(pattern), prefix)
    for pattern, prefix in (
        (r"https?://purl\.obolibrary\.org/obo/([A-Za-z]+)_([A-Za-z0-9]+)", None),
        (r"https?://(?:www\.)?omim\.org/(?:entry|phenotypicSeries)/(?:MIM:)?(\w+)", "OMIM"),
        (r"https?://www\.orpha\.net/ORDO/Orphanet_(\w+)", "ORPHA"),
        (
            r"https?://(?:www\.)?(?:deciphergenomics\.org|decipher\.sanger\.ac\.uk)/syndrome/(\d+)",
            "DECIPHER",
        ),
        (r"https?://(?:www\.|go\.)?drugbank\.(?:ca|com)/drugs/(DB\d+)", "DrugBank"),
        (r"https?://(?:www\.)?wikidata\.org/(?:entity|wiki)/([QP]\d+)", "wikidata"),
        (r"https?://id\.nlm\.nih\.gov/mesh/(?:\d+/)?([A-Z]\d+)", "MESH"),
        (r"https?://meshb\.nlm\.nih\.gov/record/ui\?ui=([A-Z]\d+)", "MESH"),
        (r"https?://(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed/(\d+)/?", "PMID"),
        (r"https?://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)/?", "PMID"),
        (r"https?://(?:www\.)?ncbi\.nlm\.nih\.gov/gene/(\d+)", "NCBIGene"),
        (r"https?://uts\.nlm\.nih\.gov/uts/umls/concept/(C\d+)", "UMLS"),
        (r"https?://linkedlifedata\.com/resource/umls/id/(C\d+)", "UMLS"),
        (r"https?://snomed\.info/(?:id|sct)/(\d+)", "SNOMEDCT"),
        (
            r"https?://mor\.nlm\.nih\.gov/RxNav/search\?searchBy=RXCUI&searchTerm=(\d+)",
            "RXNORM",
        ),
        (r"https?://purl\.bioontology\.org/ontology/([A-Z0-9]+)/([\w.-]+)", None),
        (r"https?://id\.who\.int/icd/release/\d+/(?:[\w-]+/)*([A-Z0-9.]+)", "ICD"),
        (r"https?://icd\.who\.int/browse10/\d+/en#/?([A-Z][\w.]+)", "ICD10"),
        (r"https?://identifiers\.org/pubmed[:/](\d+)", "PMID"),
        (r"https?://doi\.org/(10\..+)", "doi"),
    )
)
_REGISTRY = re.compile(r"https?://(?:identifiers\.org|bioregistry\.io)/([\w.]+)[:/](.+)")
# Most IRIs of most graphs fit none: one look tells.
_ANY = re.compile("|".join(one.pattern for one in (*(p for p, _ in _PATTERNS), _REGISTRY)))
_OBO_ID = re.compile(r"([A-Za-z][A-Za-z0-9]*):([A-Za-z0-9]+)")
# Prefixes by their canonical spelling, and what other sources write for the same vocabulary.
_DIRECT = {
    "OMIM": "https://omim.org/entry/",
    "ORPHA": "http://www.orpha.net/ORDO/Orphanet_",
    "DECIPHER": "https://www.deciphergenomics.org/syndrome/",
    "MESH": "http://id.nlm.nih.gov/mesh/",
    "UMLS": "https://uts.nlm.nih.gov/uts/umls/concept/",
    "DrugBank": "https://go.drugbank.com/drugs/",
    "NCBIGene": "https://www.ncbi.nlm.nih.gov/gene/",
    "SNOMEDCT": "http://snomed.info/id/",
    "RXNORM": "http://purl.bioontology.org/ontology/RXNORM/",
    "ATC": "http://purl.bioontology.org/ontology/ATC/",
    "ICD10CM": "http://purl.bioontology.org/ontology/ICD10CM/",
    "PUBCHEM.COMPOUND": "https://identifiers.org/pubchem.compound:",
}
_SPELLINGS = {
    "mim": "OMIM", "omimps": "OMIM", "orphanet": "ORPHA", "ordo": "ORPHA", "orpha": "ORPHA",
    "umls_cui": "UMLS", "umls": "UMLS", "msh": "MESH", "mesh": "MESH", "nci": "NCIT",
    "ncit": "NCIT", "sctid": "SNOMEDCT", "drugbank": "DrugBank", "entrez": "NCBIGene",
    "ncbigene": "NCBIGene", "pubchem": "PUBCHEM.COMPOUND", "pubchem.compound": "PUBCHEM.COMPOUND",
    "rxcui": "RXNORM", "rxnorm": "RXNORM",
}  # fmt: skip
_SNOMED = re.compile(r"snomedct(?:_|$)", re.IGNORECASE)


def canonical(identifier: str) -> str:
    """A CURIE with its prefix as we write it: MSH:D003924 and mesh:D003924 are MESH:D003924.

    Other texts are given back as they are, an IRI as its CURIE where it has one.
    """
    if "://" in identifier:
        identifier = curie_of(identifier) or identifier
        if "://" in identifier:
            return identifier
    prefix, colon, local = identifier.partition(":")
    if not colon or not local:
        return identifier
    if _SNOMED.match(prefix):
        return f"SNOMEDCT:{local}"
    return f"{_SPELLINGS.get(prefix.lower(), prefix)}:{local}"


@lru_cache(maxsize=16384)
def curie_of(iri: str) -> str | None:
    """HP:0001166 for its OBO IRI, and so on; None where no pattern fits."""
    if _ANY.match(iri) is None:
        return None
    for pattern, prefix in _PATTERNS:
        if match := pattern.fullmatch(iri):
            return ":".join(match.groups() if prefix is None else (prefix, match.group(1)))
    if match := _REGISTRY.fullmatch(iri):
        registry, local = match.groups()
        own = local if local.lower().startswith(registry.lower() + ":") else f"{registry}:{local}"
        return canonical(own)
    return None


def iri_of_curie(identifier: str) -> str:
    """The IRI of an identifier of a vocabulary that we know; other words become a URN."""
    if re.fullmatch(r"https?://[^\s<>\"{}|^`\\]+", identifier):
        return identifier
    identifier = canonical(identifier)
    prefix, _, local = identifier.partition(":")
    if prefix in _DIRECT and local:
        return _DIRECT[prefix] + quote(local, safe="")
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

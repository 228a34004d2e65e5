"""What a source claims about identity: which ids it holds for the same thing.

Kinds: `exact` (skos:exactMatch, owl:sameAs), `xref` (a cross-reference, which may mean less),
`former` (an id that was merged into this one), `dead` (the node itself is deprecated). Claims are
kept by their target, with digests of both ids and of their vocabularies, so that kg.local.identity
can count millions of them without reading them.
"""

from __future__ import annotations

import re
from array import array
from pathlib import Path

import numpy as np

from kg.local.rows import row
from kg.local.table import TableWriter, save_array, text_key
from kg.sources.curies import canonical
from kg.sources.vocabulary import OBO_IN_OWL, OWL, SKOS

__all__ = [
    "DEAD",
    "EXACT",
    "FORMER",
    "KINDS",
    "XREF",
    "ClaimsWriter",
    "kind_of_claim",
    "vocabulary_of",
]

EXACT, XREF, FORMER, DEAD = KINDS = ("exact", "xref", "former", "dead")
_KINDS = {
    SKOS + "exactMatch": EXACT,
    OWL + "sameAs": EXACT,
    OBO_IN_OWL + "hasDbXref": XREF,
    OBO_IN_OWL + "hasAlternativeId": FORMER,
    OWL + "deprecated": DEAD,
}
_ID = re.compile(r"[A-Za-z][\w.]*:\S+")
# What stands among cross-references and names no thing of its own: papers, pages, people.
_NO_IDS = frozenset("pmid pmc pubmed doi isbn isbn-10 isbn-13 url ftp wikipedia orcid".split())


def kind_of_claim(predicate: str) -> str | None:
    """What statements of this predicate say about identity, if anything."""
    return _KINDS.get(predicate)


def vocabulary_of(identifier: str) -> str:
    """The vocabulary of a canonical id: the prefix of a CURIE, else the namespace of an IRI."""
    if "://" in identifier or identifier.startswith("urn:"):
        return re.split(r"[^/#:]*$", identifier, maxsplit=1)[0]
    return identifier.partition(":")[0].lower()


class ClaimsWriter:
    """Collects the claims of one source."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._table = TableWriter(folder, "claims")
        # Per claim: digests of subject, target, subject's and target's vocabulary; the kind.
        self._ends = array("Q")

    def add(self, subject: str, kind: str, value: str) -> None:
        """One claim about a node; what names no other id is left out."""
        if subject.startswith("_:"):
            return
        own = canonical(subject)
        if kind == DEAD:
            if value in ("true", "1"):
                self._write(own, kind, own)
            return
        value = value.strip()
        if _ID.fullmatch(value) and value.partition(":")[0].lower() not in _NO_IDS:
            target = canonical(value)
            if target != own:
                self._write(own, kind, target)

    def _write(self, subject: str, kind: str, target: str) -> None:
        key = text_key(target)
        self._table.add(key, row(kind, subject, target))
        vocabularies = (text_key(vocabulary_of(subject)), text_key(vocabulary_of(target)))
        self._ends.extend((text_key(subject), key, *vocabularies, KINDS.index(kind)))

    def close(self) -> None:
        """Give the file back."""
        self._table.close()

    def finish(self) -> None:
        """Write the table, and the digests in its order."""
        ends = np.frombuffer(self._ends, dtype=np.uint64).reshape(-1, 5)
        order = self._table.finish()
        save_array(self._folder / "claims.digests.npy", ends[order])

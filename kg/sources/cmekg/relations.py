"""What CMeKG's relations mean, from relations.toml: English labels, aspects, kinds of values.

A relation that the file does not know has its own Chinese name, the aspect that its words name,
and values that are things as long as they look like names.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

__all__ = [
    "NAMESPACE",
    "CmekgRelation",
    "is_name",
    "mapping",
    "mapping_digest",
    "relation_named",
]

NAMESPACE = "urn:graphcite:cmekg:"
# In characters. Of the values of "entity" relations, what is longer is a description.
_LONGEST = {"entity": 25, "phrase": 10}
_SENTENCE = re.compile("[，。；;]")
_LIST = re.compile("[、：:]")


@dataclass(frozen=True, slots=True)
class CmekgRelation:
    """One relation. `value` is entity, phrase, text, name or identifier.

    `shared` marks an IRI of another vocabulary. `subject` and `object` name types of our own.
    """

    iri: str
    chinese: str
    english: str | None = None
    aspect: str | None = None
    value: str = "entity"
    language: str = "zh"
    prefix: str = ""
    subject: str | None = None
    object: str | None = None
    shared: bool = False


@lru_cache(maxsize=4096)
def relation_named(name: str) -> CmekgRelation:
    """The relation of this Chinese name."""
    table = mapping()
    described = table["relation"].get(name)
    if described is None:
        starts = (key for key in table["prefix"] if name.startswith(key))
        described = table["prefix"].get(next(starts, ""), {})
    iri = described.get("iri")
    settings = {key: value for key, value in described.items() if key not in ("iri", "chinese")}
    return CmekgRelation(
        iri=iri or f"{NAMESPACE}relation:{quote(name, safe='')}",
        chinese=described.get("chinese", name),
        shared=iri is not None,
        **settings,
    )


def is_name(relation: CmekgRelation, value: str) -> bool:
    """Whether a value of the relation names a thing, and is not a text about the subject."""
    longest = _LONGEST.get(relation.value)
    if longest is None or len(value) > longest or _SENTENCE.search(value):
        return False
    if value in _words():
        return False
    return relation.value == "entity" or not _LIST.search(value)


def mapping_digest() -> str:
    """Changes when the mapping does, so that an import is then not passed over as known."""
    return hashlib.blake2b(_content(), digest_size=8).hexdigest()


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset(mapping()["words"].split())


@lru_cache(maxsize=1)
def mapping() -> dict[str, Any]:
    """relations.toml: `words`, `relation` by name, `prefix` by how names begin."""
    return tomllib.loads(_content().decode())


def _content() -> bytes:
    return (files("kg.sources.cmekg") / "relations.toml").read_bytes()

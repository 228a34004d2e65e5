"""BC5CDR in PubTator form: abstracts, and gold mentions of diseases and chemicals with MeSH ids."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from kg.model import Mention

DATA = Path(__file__).parents[3] / "shared" / "data" / "linking" / "bc5cdr"


@dataclass(frozen=True, slots=True)
class Gold:
    """One gold mention. `ids` are CURIEs: several for a composite mention, none for "-1"."""

    text: str
    mention: Mention
    kind: str
    ids: frozenset[str]


def gold_mentions(part: str) -> list[Gold]:
    """The mentions of `train` or `dev`, each with its title and abstract as `text`."""
    content = gzip.decompress((DATA / f"{part}_corpus.txt.gz").read_bytes()).decode()
    found: list[Gold] = []
    for document in content.strip().split("\n\n"):
        texts, rows = [], []
        for line in document.split("\n"):
            if "|t|" in line[:14] or "|a|" in line[:14]:
                texts.append(line.split("|", 2)[2])
            else:
                rows.append(line.split("\t"))
        text = "\n".join(texts)
        for row in rows:
            if len(row) < 6:  # a relation between two ids
                continue
            start, end, ids = int(row[1]), int(row[2]), row[5]
            known = frozenset(f"MESH:{one}" for one in ids.split("|") if one != "-1")
            found.append(Gold(text, Mention(text[start:end], start, end), row[4], known))
    return found

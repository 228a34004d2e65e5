"""The words of a source: which are known at all, which occur in names, and near misses of names.

Latin words go into two sorted text files that are read when a question first has an unknown word.
Chinese names of four characters and more are kept under every form with one character left open,
so that a wrong character is found without comparing with all names.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from kg.local.table import Table, TableWriter, text_key, text_keys
from kg.text import is_cjk, tokens

__all__ = [
    "LONGEST_CHINESE",
    "SHORTEST_CHINESE",
    "SHORTEST_WORD",
    "Words",
    "WordsWriter",
    "open_forms",
]

# Shorter words have too many neighbours to be corrected.
SHORTEST_WORD, SHORTEST_CHINESE, LONGEST_CHINESE = 5, 4, 20
_OPEN = "\ufffd"


def open_forms(name: str) -> Iterator[tuple[int, str]]:
    """Each form of a Chinese name with one character left open, with the place of that one."""
    for place, character in enumerate(name):
        if is_cjk(character):
            yield place, name[:place] + _OPEN + name[place + 1 :]


class WordsWriter:
    """Collects the words of names and descriptions, and how often each occurs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._of_names: Counter[str] = Counter()
        self._of_texts: Counter[str] = Counter()
        self._similar = TableWriter(folder, "similar")

    def add_name(self, folded: str) -> None:
        """The words of a folded name."""
        if not is_cjk(folded):
            self._of_names.update(word for word in folded.split() if _counts(word))
        elif SHORTEST_CHINESE <= len(folded) <= LONGEST_CHINESE:
            for _, form in open_forms(folded):
                self._similar.add(text_key(form), folded.encode())

    def add_text(self, text: str) -> None:
        """Words that are known to be right, though no name may have them."""
        self._of_texts.update(t.folded for t in tokens(text) if _counts(t.folded))

    def close(self) -> None:
        """Give the file back."""
        self._similar.close()

    def finish(self) -> None:
        """Write everything."""
        self._similar.finish()
        for name, words in (("words-names", self._of_names), ("words-texts", self._of_texts)):
            lines = "\n".join(f"{word}\t{words[word]}" for word in sorted(words))
            (self._folder / f"{name}.txt").write_text(lines, encoding="utf-8")


def _counts(word: str) -> bool:
    """Whether a folded word can be a misspelling or be meant by one."""
    return len(word) >= SHORTEST_WORD - 1 and word.isascii() and word.isalpha()


class Words:
    """A source's words, read when first needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._similar = Table(folder, "similar")

    def _read(self, name: str) -> dict[str, int]:
        text = (self._folder / f"{name}.txt").read_text(encoding="utf-8")
        pairs = (line.split("\t") for line in text.split("\n") if line)
        return {word: int(count) for word, count in pairs}

    @cached_property
    def _of_names(self) -> dict[str, int]:
        return self._read("words-names")

    @cached_property
    def _of_texts(self) -> dict[str, int]:
        return self._read("words-texts")

    def count(self, word: str) -> int:
        """How often a folded Latin word occurs in names and descriptions."""
        return self._of_names.get(word, 0) + self._of_texts.get(word, 0)

    @cached_property
    def by_shape(self) -> dict[tuple[str, int], list[str]]:
        """Name words that a misspelling may mean, by first letter and length."""
        shapes: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for word in self._of_names:
            shapes[word[0], len(word)].append(word)
        return dict(shapes)

    def similar(self, name: str) -> Iterator[tuple[int, str]]:
        """Folded Chinese names that differ from this one in the character at the given place."""
        forms = list(open_forms(name))
        for position, entries in self._similar.find_many(text_keys(form for _, form in forms)):
            for other in sorted({entry.decode() for entry in entries}):
                if other != name:
                    yield forms[position][0], other

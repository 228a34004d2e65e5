"""Texts with the names of columns in them: "DOID:{doid_id}"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["OWN", "Getter", "Template", "TemplateError"]

# A row's cells followed by its values → the text, empty where a cell that it needs is empty.
Getter = Callable[[Sequence[str]], str]
OWN = ""  # the name in "{}": the value at hand
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class TemplateError(ValueError):
    """A brace that opens or closes nothing."""


@dataclass(frozen=True, slots=True)
class Template:
    """Literal texts with a name after each but the last: len(texts) == len(names) + 1."""

    texts: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Template:
        """Read "a {b} c"; {{ and }} are braces. Raises TemplateError."""
        texts, names, place = [""], [], 0
        for piece in _PIECE.finditer(text):
            texts[-1] += text[place : piece.start()]
            place = piece.end()
            if piece.group() in ("{{", "}}"):
                texts[-1] += piece.group()[0]
            elif piece.group(1) is None:
                raise TemplateError(f"{text!r} has a lone {piece.group()}; write it twice")
            else:
                names.append(piece.group(1).strip())
                texts.append("")
        texts[-1] += text[place:]
        return cls(tuple(texts), tuple(names))

    @classmethod
    def column(cls, name: str) -> Template:
        """The template of one column."""
        return cls(("", ""), (name,))

    @property
    def constant(self) -> str | None:
        """Its text when it names no column."""
        return None if self.names else self.texts[0]

    def getter(self, slots: Mapping[str, int]) -> Getter:
        """The function that fills it in, given where each name's text stands in a row."""
        first, places = self.texts[0], [slots[name] for name in self.names]
        if not places:
            return lambda row: first
        if len(places) == 1 and self.texts == ("", ""):
            only = places[0]
            return lambda row: row[only]
        rest = tuple(zip(places, self.texts[1:], strict=True))

        def fill(row: Sequence[str]) -> str:
            filled = first
            for place, text in rest:
                cell = row[place]
                if not cell:
                    return ""
                filled += cell + text
            return filled

        return fill

"""One table of a TOML file, read key by key; what is left over or of a wrong kind is an error."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from difflib import get_close_matches

from kg.errors import BadInput

__all__ = ["Section"]


class Section:
    """A TOML table and its place in the mapping, which every message names.

    Each method takes a key out; `finish` raises BadInput for the keys that nobody asked for.
    """

    def __init__(self, content: object, place: str) -> None:
        self.place = place
        if not isinstance(content, dict):
            raise self.wrong("must be a table")
        self._left = dict(content)
        self._known: list[str] = []

    def wrong(self, problem: str) -> BadInput:
        """The error that says what is wrong here."""
        return BadInput(f"{self.place}: {problem}.")

    def text(self, key: str) -> str | None:
        """A text; numbers and dates are taken as they are written."""
        value = self._take(key)
        return None if value is None else self._text(key, value)

    def required(self, key: str) -> str:
        """A text that must be there."""
        value = self.text(key)
        if value is None:
            raise self.wrong(f"{key!r} is missing")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A text or a list of texts."""
        value = self._take(key)
        if value is None:
            return ()
        listed = value if isinstance(value, list) else [value]
        return tuple(self._text(key, one) for one in listed)

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        value = self._take(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(f"{key!r} must be true or false")
        return value

    def number(self, key: str) -> int:
        """A whole number from 0; 0 where there is none."""
        value = self._take(key)
        if value is None:
            return 0
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.wrong(f"{key!r} must be a whole number, 0 or more")
        return value

    def anything(self, key: str) -> object:
        """Whatever stands there, None where nothing does."""
        return self._take(key)

    def section(self, key: str) -> Section:
        """The table of this name, an empty one where there is none."""
        value = self._take(key)
        return Section({} if value is None else value, f"{self.place}, {key}")

    def sections(self, key: str) -> list[Section]:
        """The tables of this name: [[key]]."""
        value = self._take(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(f"{key!r} must be written [[{key}]]")
        return [
            Section(one, f"{self.place}, {key} {number}") for number, one in enumerate(value, 1)
        ]

    def named(self) -> Iterator[tuple[str, Section]]:
        """Each key with the table that it names; takes all."""
        for key in list(self._left):
            yield key, Section(self._take(key), f"{self.place} {key!r}")

    def pairs(self) -> Iterator[tuple[str, object]]:
        """Each key with what stands there; takes all."""
        for key in list(self._left):
            yield key, self._take(key)

    def entries(self) -> dict[str, str]:
        """All keys with their texts."""
        return {key: self._text(key, value) for key, value in self.pairs()}

    def finish(self) -> None:
        """Raise BadInput when a key is left."""
        for key in self._left:
            near = get_close_matches(key, self._known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(self._known)}"
            raise BadInput(f"{self.place}: unknown key {key!r}; {hint}")

    def _take(self, key: str) -> object:
        self._known.append(key)
        return self._left.pop(key, None)

    def _text(self, key: str, value: object) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, int | float | datetime.date) and not isinstance(value, bool):
            return str(value)
        raise self.wrong(f"{key!r} must be a text")

"""Class expressions in Manchester syntax, as Disease Ontology's report of axioms writes them.

Source: W3C, OWL 2 Web Ontology Language Manchester Syntax, section 2.4. Only what such a report
holds: names (quoted or not), and, or, restrictions and brackets. What a class has *only*, *at
most* or *not* says nothing that is so, and is left out, as are restrictions of a restriction's
own filler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["fillers"]

_KEEPS = frozenset({"some", "value", "min", "exactly"})
_RESTRICTIONS = _KEEPS | {"only", "max", "Self"}
_COUNTED = frozenset({"min", "max", "exactly"})
_OPERATORS = frozenset({"and", "or", "that"})
_DEEPEST = 40
# A quoted name ends at a quote before a blank, a bracket or the end: 'Crohn's disease'.
_QUOTED = re.compile(r"'(.+?)'(?=[\s)]|$)")
_BARE = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    is_name: bool = True


@dataclass(frozen=True, slots=True)
class _Restriction:
    relation: str
    is_fact: bool
    filler: tuple[str | _Restriction, ...]


class _Unreadable(ValueError):
    """The text is no class expression of the kind above."""


def fillers(expression: str, relation: str) -> tuple[str, ...] | None:
    """The names that things of this class have this relation to; None where it is unreadable.

    >>> fillers("'has symptom' some ('dry cough' or fever)", "has symptom")
    ('dry cough', 'fever')
    """
    try:
        parts, end = _union(list(_tokens(expression)), 0, 0)
    except _Unreadable:
        return None
    restrictions = (part for part in parts if isinstance(part, _Restriction))
    wanted = (one for one in restrictions if one.relation == relation and one.is_fact)
    return tuple(dict.fromkeys(n for one in wanted for n in one.filler if isinstance(n, str)))


def _tokens(text: str) -> Iterator[_Token]:
    place, ends = 0, _brackets(text)
    while place < len(text):
        character = text[place]
        if character.isspace():
            place += 1
        elif character == ")" or (character == "(" and _is_group(text, ends.get(place))):
            yield _Token(character, is_name=False)
            place += 1
        elif character == "'" and (quoted := _QUOTED.match(text, place)):
            yield _Token(quoted.group(1))
            place = quoted.end()
        else:
            word = _bare(text, place)
            yield _Token(word, is_name=word not in _OPERATORS | _RESTRICTIONS | {"not"})
            place += len(word)


def _brackets(text: str) -> dict[int, int]:
    """Where each bracket that is closed is closed."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for place, character in enumerate(text):
        if character == "(":
            opened.append(place)
        elif character == ")" and opened:
            ends[opened.pop()] = place
    return ends


def _is_group(text: str, end: int | None) -> bool:
    """Whether the bracket that ends there holds an expression, and is no name's: (-)-carvone."""
    return end is None or text[end + 1 : end + 2] in ("", ")") or text[end + 1].isspace()


def _bare(text: str, start: int) -> str:
    """A name without quotes: up to a blank or a bracket that it did not open."""
    found = _BARE.match(text, start)
    word, depth = found.group() if found else "", 0
    for place, character in enumerate(word):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return word[:place]
    return word


def _union(
    tokens: list[_Token], start: int, depth: int
) -> tuple[tuple[str | _Restriction, ...], int]:
    """The parts of `a and b or c` from here on, and where it ends."""
    if depth > _DEEPEST:
        raise _Unreadable
    parts, place = _part(tokens, start, depth)
    while place < len(tokens) and tokens[place].text in _OPERATORS and not tokens[place].is_name:
        more, place = _part(tokens, place + 1, depth)
        parts += more
    if depth == 0 and place != len(tokens):
        raise _Unreadable
    return parts, place


def _part(
    tokens: list[_Token], place: int, depth: int
) -> tuple[tuple[str | _Restriction, ...], int]:
    if place >= len(tokens):
        raise _Unreadable
    token = tokens[place]
    if token.text == "(" and not token.is_name:
        parts, place = _union(tokens, place + 1, depth + 1)
        if place >= len(tokens) or tokens[place].text != ")":
            raise _Unreadable
        return parts, place + 1
    if token.text == "not" and not token.is_name:
        _, place = _part(tokens, place + 1, depth + 1)
        return (), place
    if not token.is_name:
        raise _Unreadable
    if place + 1 < len(tokens) and not tokens[place + 1].is_name:
        word = tokens[place + 1].text
        if word in _RESTRICTIONS:
            return _restriction(tokens, place, depth)
    return (token.text,), place + 1


def _restriction(
    tokens: list[_Token], place: int, depth: int
) -> tuple[tuple[str | _Restriction, ...], int]:
    """`relation some filler`, `relation exactly 2 filler`."""
    relation, kind = tokens[place].text, tokens[place + 1].text
    place += 2
    is_fact = kind in _KEEPS
    if kind in _COUNTED:
        if place >= len(tokens) or not tokens[place].text.isdigit():
            raise _Unreadable
        is_fact = is_fact and int(tokens[place].text) > 0
        place += 1
    if kind == "Self":
        return (), place
    filler, place = _part(tokens, place, depth + 1)
    return (_Restriction(relation, is_fact, filler),), place

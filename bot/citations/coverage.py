"""How much of a sentence a description backs: the share of its words that the description holds.

For a cited description or another long text of the graph; names of the described entity and of the
sources count as backed, reporting words ("describes … as follows") not at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from kg.text import STOP_WORDS, Token, is_cjk, tokens

__all__ = ["coverage"]

_REPORTING = frozenset(
    "describe described description define defined definition follow following list listed state "
    "stated according known called graph it".split()
)
_REPORTING_CHARACTERS = frozenset("对的描述为是定义如下说明指即称根据图谱")


def coverage(sentence: str, text: str, names: Iterable[str]) -> float:
    """The share of the sentence's words (in Chinese: characters in pairs) that the text holds."""
    given = tokens(text)
    words = {token.folded for token in given}
    pairs = set(_pairs(given))
    for name in names:
        named = tokens(name)
        words.update(token.folded for token in named)
        pairs.update(_pairs(named))
    said = tokens(sentence)
    backed = total = 0
    for position, token in enumerate(said):
        if is_cjk(token.folded):
            if token.folded in _REPORTING_CHARACTERS:
                continue
            near = said[max(0, position - 1) : position + 2]
            held = any(pair in pairs for pair in _pairs(near))
        else:
            if token.folded in STOP_WORDS or token.folded in _REPORTING:
                continue
            held = token.folded in words
        total += 1
        backed += held
    return backed / total if total else 0.0


def _pairs(run: list[Token]) -> list[tuple[str, str]]:
    return [(a.folded, b.folded) for a, b in zip(run, run[1:], strict=False)]

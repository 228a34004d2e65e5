"""The characters of a model's answer, made fit to be shown while they stream.

Halves of characters are joined; terminal sequences, control characters (line breaks and tabs
aside), invisible and direction-changing characters and the private ones that the checker uses as
signs are taken out, also where chunks cut them. Words and Markdown stay as they are.
"""

from __future__ import annotations

import re

from kg.text import visible, well_formed

__all__ = ["Characters"]

_LONGEST_SEQUENCE = 200
# Colours and cursor moves end at a letter, titles and links at a bell or "\x1b\\".
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?)?\Z")
_LINE_BREAK = re.compile("\r\n|[\u2028\u2029]")
_PRIVATE = re.compile("[\ue000-\uf8ff]")


class Characters:
    """Feed chunks; what comes back can be shown. A sequence that has begun is waited for."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """The characters to show now."""
        text = _SEQUENCE.sub("", self._held + text)
        begun = _BEGUN.search(text)
        waiting = begun.start() if begun else len(text)
        if len(text) - waiting > _LONGEST_SEQUENCE:
            waiting = len(text)
        if waiting == len(text) and text and ("\ud800" <= text[-1] <= "\udbff" or text[-1] == "\r"):
            waiting -= 1
        text, self._held = text[:waiting], text[waiting:]
        return _shown(text)

    def finish(self) -> str:
        """The rest: half a character shows as such, a begun sequence is dropped."""
        rest, self._held = self._held, ""
        return _shown(_BEGUN.sub("", rest))


def _shown(text: str) -> str:
    return _PRIVATE.sub("", visible(_LINE_BREAK.sub("\n", well_formed(text))))

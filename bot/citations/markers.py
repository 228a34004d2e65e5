"""Turns the opaque ids that a model writes into the conversation's numbers while text streams.

What counts as a marker: square brackets of any width that hold only ids, and round ones too.
Unknown ids vanish with the space before them. A bare `[1]` that the model typed itself is removed:
shown, it would look like one of our citations without being one. Everything else stays: `[2020]`,
`[1, 5] mg`, `[sic]`, links, code. `(E300)` stays unless it is an id of this turn: food additives
and prostaglandins are written like that.

Each step looks only as far ahead as it needs and waits when it cannot see that far, so the result
does not depend on how the text was cut into chunks. The wait is bounded: a bracket or a code span
that does not close within its line and limit is ordinary text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.citations.numbers import Numbers
from kg.text import is_cjk

__all__ = ["MarkerStream"]

_SQUARE, _SQUARE_END = "[【［", "]】］"
_ROUND, _ROUND_END = "(（", ")）"
_LONGEST_GROUP = 100
_LONGEST_CODE = 400
_LONGEST_INFO = 200

_ID = r"[Ee]\d{1,4}"
_BETWEEN = r"\s*(?:[,;，；、/&+–-]|and\b|和|与)?\s*"
_LEAD = r"(?:(?:evidence|source|sources|see|cf\.?|证据|来源|见|参见)\s*[:：]?\s*)?"
_GROUP = re.compile(rf"\s*\^?{_LEAD}{_ID}(?:{_BETWEEN}{_ID})*\s*", re.IGNORECASE)
_RANGE = re.compile(r"[Ee](\d{1,4})\s*[–-]\s*[Ee](\d{1,4})")
_BARE_NUMBER = re.compile(r"\s*\^?\d{1,3}\s*")
_UNFINISHED = re.compile(r"[\[【［]\^?\s*(?:[Ee]?(?:\d[\dEe,;，；、\s]*)?)?")
_ORDINARY = re.compile(r"[^\[【［(（`\\\s~,;，；、]+")
_FENCE = re.compile(r"(`{3,}|~{3,})[^\n]*")


class MarkerStream:
    """Feed chunks of a model's answer; what comes back is safe to show at once."""

    def __init__(self, ids: Mapping[str, str], numbers: Numbers) -> None:
        self._ids = {name.upper(): key for name, key in ids.items()}
        self._numbers = numbers
        self._buffer = ""
        self._held = ""  # spaces (and one comma after a marker) whose fate the next step decides
        self._last = ""  # the character shown last
        self._run: list[int] = []  # the markers that stand directly before this place
        self._opens_line = False  # those markers are the first thing in their line
        self._fence = ""  # the run that opened the fence we are in
        self._cited: dict[str, None] = {}

    @property
    def cited(self) -> tuple[str, ...]:
        """The keys cited so far, in order of first citation."""
        return tuple(self._cited)

    def feed(self, chunk: str) -> str:
        """Take a chunk; give the text that can be shown now."""
        self._buffer += chunk
        return self._drain(final=False)

    def finish(self) -> str:
        """The rest: nothing follows. A marker that was cut off in the middle is dropped."""
        rest = self._drain(final=True) + self._held
        self._held = ""
        return rest

    def _drain(self, final: bool) -> str:
        shown: list[str] = []
        position = 0
        while position < len(self._buffer):
            taken, text = self._step(position, final)
            if not taken:
                break
            position += taken
            shown.append(text)
        self._buffer = self._buffer[position:]
        return "".join(shown)

    # Each step gives how many characters it took and what to show; 0: wait for more.

    def _step(self, at: int, final: bool) -> tuple[int, str]:
        if self._fence:
            return self._inside_fence(at, final)
        char = self._buffer[at]
        if char in "`~":
            return self._code(at, final)
        if char == "\\":
            if at + 1 == len(self._buffer) and not final:
                return 0, ""
            return self._literal(self._buffer[at : at + 2])
        if char in _SQUARE or char in _ROUND:
            return self._bracket(at, final)
        if char == "\n" or not (char.isspace() or char in ",;，；、"):
            match = _ORDINARY.match(self._buffer, at)
            return self._literal(match.group() if match else char)
        return self._hold(char)

    def _hold(self, char: str) -> tuple[int, str]:
        if not char.isspace():
            if not self._run or self._held.strip():
                return self._literal(char)
        elif self._last in ("", "\n") and self._opens_line:
            return 1, ""  # the space after an unknown id that opened the line
        self._held += char
        return 1, ""

    def _literal(self, text: str) -> tuple[int, str]:
        gap = self._held
        # `[1](…)` would become a link, and `[1]: …` at the start of a line a link's definition.
        if self._run and not gap and (text[0] == "(" or (text[0] == ":" and self._opens_line)):
            gap = " "
        self._held = ""
        self._run = []
        self._opens_line = False
        self._last = text[-1]
        return len(text), gap + text

    def _code(self, at: int, final: bool) -> tuple[int, str]:
        buffer, char = self._buffer, self._buffer[at]
        end = at
        while end < len(buffer) and buffer[end] == char:
            end += 1
        if end == len(buffer) and not final:
            return 0, ""
        run = buffer[at:end]
        if self._last in ("", "\n") and len(self._held) <= 3 and len(run) >= 3:
            line_end = buffer.find("\n", at, at + _LONGEST_INFO)
            if line_end < 0 and not final and len(buffer) < at + _LONGEST_INFO:
                return 0, ""
            info = buffer[end : line_end if line_end >= 0 else at + _LONGEST_INFO]
            if "`" not in info:
                self._fence = run
                return self._literal(run)
        if char == "~":
            return self._literal(run)
        # one character more than the limit tells whether a run ends there
        pattern = re.compile(rf"(?<!`)`{{{len(run)}}}(?!`)|\n")
        closing = pattern.search(buffer, end, at + _LONGEST_CODE + 1)
        if closing is not None and closing.end() - at <= _LONGEST_CODE:
            if closing.group() == "\n":
                return self._literal(run)
            if closing.end() == len(buffer) and not final:
                return 0, ""
            return self._literal(buffer[at : closing.end()])
        if not final and len(buffer) - at <= _LONGEST_CODE:
            return 0, ""
        return self._literal(run)

    def _inside_fence(self, at: int, final: bool) -> tuple[int, str]:
        buffer = self._buffer
        line_end = buffer.find("\n", at)
        if self._last == "\n":
            line = buffer[at : line_end if line_end >= 0 else len(buffer)]
            marks = line.strip(" \t")
            if set(marks) <= {self._fence[0]} and len(line) < _LONGEST_INFO:
                if line_end < 0 and not final:
                    return 0, ""
                if len(marks) >= len(self._fence):
                    self._fence = ""
                    return self._literal(line) if line else (0, "")
        end = line_end + 1 if line_end >= 0 else len(buffer)
        return self._literal(buffer[at:end])

    def _bracket(self, at: int, final: bool) -> tuple[int, str]:
        buffer = self._buffer
        square = buffer[at] in _SQUARE
        stops = (_SQUARE_END + _SQUARE if square else _ROUND_END + _ROUND) + "\n"
        limit = at + 1 + _LONGEST_GROUP
        end = next((i for i in range(at + 1, min(limit, len(buffer))) if buffer[i] in stops), -1)
        if end < 0:
            if not final and len(buffer) < limit:
                return 0, ""
            if final and _UNFINISHED.fullmatch(buffer, at):
                self._held = ""
                return len(buffer) - at, ""
            return self._literal(buffer[at])
        if buffer[end] not in (_SQUARE_END if square else _ROUND_END):
            return self._literal(buffer[at])
        content = buffer[at + 1 : end]
        if square and _BARE_NUMBER.fullmatch(content):
            if end + 1 == len(buffer) and not final:
                return 0, ""
            if buffer[end + 1 : end + 2] == "(":
                return self._literal(buffer[at : end + 1])
            return end + 1 - at, self._vanish()
        if not square:
            content = re.sub(r"[\[\]【】［］]", " ", content)
        if not _GROUP.fullmatch(content):
            return self._literal(buffer[at])
        names = _names(content)
        keys = [self._ids[name] for name in names if name in self._ids]
        if not keys and not square and any(len(name) > 3 for name in names):
            return self._literal(buffer[at])
        return end + 1 - at, self._cite(keys) if keys else self._vanish()

    def _vanish(self) -> str:
        if self._last in ("", "\n"):
            self._opens_line = True
        else:
            self._held = ""
        return ""

    def _cite(self, keys: list[str]) -> str:
        numbers = [self._numbers.number(key) for key in keys]
        self._cited.update(dict.fromkeys(keys))
        gap = self._gap()
        self._opens_line = self._opens_line or self._last in ("", "\n")
        self._held = ""
        new = [n for n in dict.fromkeys(numbers) if n not in self._run]
        self._run += new
        if not new:
            return ""
        self._last = "]"
        return gap + "".join(f"[{number}]" for number in new)

    def _gap(self) -> str:
        """What stands between the text and its marker: a space, in Chinese nothing."""
        if self._run:
            return ""
        if self._last in ("", "\n"):
            return self._held
        if is_cjk(self._last) or self._last in "。！？；：，、）」』”《》":
            return ""
        if self._last in "([{（“\"'" and not self._held:
            return ""
        return " "


def _names(content: str) -> list[str]:
    """The ids in a group, in order and once each; `E2-E4` is a range."""

    def spread(match: re.Match[str]) -> str:
        first, last = int(match[1]), int(match[2])
        return " ".join(f"E{n}" for n in range(first, min(last, first + 50) + 1))

    names = re.findall(_ID, _RANGE.sub(spread, content))
    return list(dict.fromkeys(f"E{int(name[1:])}" for name in names))

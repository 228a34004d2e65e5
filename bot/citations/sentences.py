"""Splits an answer (Markdown with [n] markers) into the sentences that are checked one by one.

Code, headings, rules and table heads are no claims and give no sentence. A line that introduces a
list ("Treatments are:") gives none either unless it cites: its items carry it as `lead_in`, and a
table row carries the table's head. This does not judge anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kg.text import is_cjk

__all__ = [
    "AnswerSentence",
    "find_markers",
    "plain_sentences",
    "replace_markers",
    "split",
    "without_markers",
]

# Our own marker. `\[1\]` is text, `[1](…)` a link, `[2020]` a year.
_MARKER = re.compile(r"(?<!\\)\[(\d{1,3})\](?!\()")
_MARKER_AHEAD = re.compile(r"[ \t]*" + _MARKER.pattern)

_ABBREVIATIONS = frozenset(
    """
    e.g i.e eg ie dr mr mrs ms prof st vs approx ca cf fig figs al var subsp spp sp resp incl
    excl max min jr sr ed eds dept inc ltd co corp a.m p.m u.s u.k
    """.split()
)
_BEFORE_NUMBERS = frozenset({"no", "nos", "p", "pp", "vol"})
_OPENING = frozenset("\"'(“‘「『*_【（\ue000")
_ENDS = frozenset(".!?。！？…")
_CLAUSE_ENDS = frozenset(";；")
_CLOSING = frozenset("\"')”’」』）*_")

# An escaped character or a code span; an escaped backtick opens none.
_OPAQUE = re.compile(r"\\[!-/:-@\[-`{-~]|(?<!(?<!\\)`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_FENCED = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*(?:\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)|\Z)", re.MULTILINE | re.DOTALL
)
_HEADING = re.compile(r"^ {0,3}#{1,6}(\s|$)")
_RULE = re.compile(r"^ {0,3}([-*_])[ \t]*(\1[ \t]*){2,}$")
_ITEM = re.compile(r"^\s*(?:[-*+•·‣]|\d{1,3}[.)、]|[（(]\d{1,3}[)）])\s+(?:\[[ xX]\]\s+)?")
_QUOTE = re.compile(r"^\s*(?:>\s?)+")
_TABLE_RULE_CELL = re.compile(r"\s*:?-+:?\s*")
# Every item of a list is read with its lead-in: a long one must not be read without end.
_LONGEST_LEAD_IN = 1000
_LEADS = re.compile(r"[:：][*_]*\s*$")


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One claim: its text without markers, what it cites, and its place: answer[start:end]."""

    text: str
    citations: tuple[int, ...]
    start: int
    end: int
    lead_in: str = ""


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, list item or table row: a span of the answer that sentences do not cross."""

    start: int
    end: int
    item: bool
    lead_in: str = ""


def split(answer: str) -> tuple[AnswerSentence, ...]:
    """The sentences of an answer, in order."""
    masked = _opaque(answer)
    blocks = list(_blocks(answer))
    found: list[AnswerSentence] = []
    lead_in = ""
    for position, block in enumerate(blocks):
        if not block.item:
            lead_in = ""
        inherited = block.lead_in or (lead_in if block.item else "")
        spans = list(_sentences(masked, block.start, block.end))
        for start, end in spans:
            sentence = _sentence(answer, masked, start, end, inherited)
            if sentence is None:
                continue
            leads = _leads(blocks, position) and (start, end) == spans[-1]
            if leads and _LEADS.search(sentence.text):
                lead_in = f"{inherited} {sentence.text}".strip() if block.item else sentence.text
                lead_in = lead_in[-_LONGEST_LEAD_IN:]
                if not sentence.citations:
                    continue
            found.append(sentence)
    return tuple(found)


def plain_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text that is not Markdown, without their full stops."""
    masked = text.replace("[", "\ue000")
    parts = (text[start:end].strip() for start, end in _sentences(masked, 0, len(text)))
    return tuple(part.rstrip(".。") for part in parts if part)


def _opaque(answer: str) -> str:
    """The answer with escaped characters and code blanked; every position stays."""
    without_fences = _FENCED.sub(_blank, answer)
    return _OPAQUE.sub(_blank, without_fences)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "\ue000", match.group())


def find_markers(answer: str) -> tuple[tuple[int, int, int], ...]:
    """Our markers in a Markdown text, code and escaped ones aside: (start, end, number)."""
    found = _MARKER.finditer(_opaque(answer))
    return tuple((match.start(), match.end(), int(match[1])) for match in found)


def replace_markers(text: str, sign: str) -> str:
    """The text with `sign` for each marker and the spaces before it."""
    parts, position = [], 0
    for start, end, _ in find_markers(text):
        parts.append(text[position:start].rstrip(" ") + sign)
        position = end
    return "".join([*parts, text[position:]])


def without_markers(text: str) -> str:
    """The text as it reads without its citations."""
    return re.sub(r"\s+", " ", replace_markers(text, "")).strip()


def _leads(blocks: list[_Block], position: int) -> bool:
    return position + 1 < len(blocks) and blocks[position + 1].item


def _blocks(answer: str) -> Iterator[_Block]:
    fence = ""
    table_head: str | None = None
    open_block: _Block | None = None
    for start, line in _lines(answer):
        end = start + len(line)
        mark = _FENCE.match(line)
        special = fence or mark or not line.strip() or _HEADING.match(line) or _RULE.match(line)
        row = _is_row(line)
        item = _ITEM.match(line)
        if open_block and (special or row or item):
            yield open_block
            open_block = None
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark.group(1)
        elif special:
            table_head = None
        elif row:
            if _is_table_rule(line):
                continue
            if table_head is None:
                table_head = line.replace("|", " ").strip()[-_LONGEST_LEAD_IN:]
            else:
                yield _Block(start, end, item=False, lead_in=table_head)
        elif item:
            open_block = _Block(start + item.end(), end, item=True)
        elif open_block:
            open_block = _Block(open_block.start, end, open_block.item)
        else:
            quote = _QUOTE.match(line)
            open_block = _Block(start + (quote.end() if quote else 0), end, item=False)
    if open_block:
        yield open_block


def _lines(answer: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in answer.splitlines(keepends=True):
        yield start, line.rstrip("\r\n")
        start += len(line)


def _is_row(line: str) -> bool:
    line = line.strip()
    return len(line) > 1 and line[0] == line[-1] == "|"


def _is_table_rule(row: str) -> bool:
    cells = row.strip()[1:-1].split("|")
    return all(_TABLE_RULE_CELL.fullmatch(cell) for cell in cells)


def _sentences(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    scan = _Scan(masked, start, end)
    position = start
    while position < end:
        char = masked[position]
        position += 1
        if char in _CLAUSE_ENDS:
            if not scan.cited_clause(position):
                continue
        elif char not in _ENDS or not scan.is_end(position):
            continue
        position = _swallow(masked, position, end)
        yield scan.first, position
        scan.begin(position)
    if scan.first < end:
        yield scan.first, end


class _Scan:
    """Looks around the stops of one block. Nothing is read anew for each stop: time is linear."""

    def __init__(self, masked: str, start: int, end: int) -> None:
        self._masked = masked
        self._end = end
        markers = [match.start() for match in _MARKER.finditer(masked, start, end)]
        self._last_marker = markers[-1] if markers else -1
        self._after = self._following = -1
        self.begin(start)

    def begin(self, first: int) -> None:
        """A sentence begins here."""
        self.first = self._first_word = first
        while self._first_word < self._end and self._masked[self._first_word].isspace():
            self._first_word += 1

    def is_end(self, position: int) -> bool:
        """Whether the stop before `position` ends a sentence."""
        masked, end = self._masked, self._end
        stop = masked[position - 1]
        if stop in "。！？":
            return True
        self._look_ahead(position)
        if self._following == end:
            return True
        after = masked[self._after]
        if not (masked[position].isspace() or after.isspace()) and self._marked(position):
            return False
        if not after.isspace():
            return is_cjk(after) and stop != "."
        following = masked[self._following]
        opens = following.isupper() or following.isdigit() or following in _OPENING
        # Names of the graph begin sentences as they are spelt: "… [1]. aspirin …".
        if not opens and not self._marked_before(position - 1):
            return is_cjk(following) or (following == "[" and stop != ".")
        return stop != "." or not self._abbreviated(position - 1, following)

    def cited_clause(self, position: int) -> bool:
        """Whether a semicolon divides two claims that cite apart: `A [1]; B [2]`."""
        return self._last_marker >= position and self._marked_before(position - 1)

    def _marked_before(self, end: int) -> bool:
        """Whether a marker stands before this place."""
        while end > self.first and self._masked[end - 1] in " \t":
            end -= 1
        starts = range(max(self.first, end - 5), end - 2)
        return any(_MARKER.fullmatch(self._masked, start, end) for start in starts)

    def _look_ahead(self, position: int) -> None:
        """Find what comes behind closing marks and markers, and behind white space as well."""
        if position <= self._after:
            return
        self._after = self._passed(position, lambda char: char in _CLOSING or char in _ENDS)
        if self._following < self._after:
            self._following = self._passed(self._after, str.isspace)

    def _passed(self, position: int, passes: Callable[[str], bool]) -> int:
        while position < self._end:
            if match := _MARKER.match(self._masked, position, self._end):
                position = match.end()
            elif passes(self._masked[position]):
                position += 1
            else:
                break
        return position

    def _marked(self, position: int) -> bool:
        return _MARKER.match(self._masked, position, self._end) is not None

    def _abbreviated(self, end: int, following: str) -> bool:
        masked = self._masked
        if end <= self._first_word or _MARKER.search(masked[max(self.first, end - 6) : end]):
            return False
        while masked[end - 1].isspace():
            end -= 1
        start = end
        while start > self._first_word and not masked[start - 1].isspace():
            start -= 1
        only, written = start == self._first_word, masked[start:end]
        word = written.lower().lstrip("(\"'“‘")
        initial = len(word) == 1 and word.isalpha() and not only and written.isupper()
        numbering = only and word.isdigit()
        counted = word in _BEFORE_NUMBERS and following.isdigit()
        return word in _ABBREVIATIONS or counted or initial or numbering


def _swallow(masked: str, position: int, end: int) -> int:
    """Closing quotes, further stops and markers after a stop belong to the sentence that ends."""
    while position < end:
        if masked[position] in _CLOSING or masked[position] in _ENDS:
            position += 1
            continue
        match = _MARKER_AHEAD.match(masked, position, end)
        if not match:
            break
        position = match.end()
    return position


def _sentence(
    answer: str, masked: str, start: int, end: int, lead_in: str
) -> AnswerSentence | None:
    while start < end and answer[start].isspace():
        start += 1
    while end > start and answer[end - 1].isspace():
        end -= 1
    text = without_markers(answer[start:end]).strip("| ")
    text = re.sub(r"\s*\|\s*", " · ", text) if answer[start:end].startswith("|") else text
    if not any(char.isalnum() for char in _opaque(text)) and "`" not in text:
        return None
    if not any(char.isalnum() for char in _opaque(text).replace("\ue000", "")):
        return None  # code alone is never a claim
    numbers = (int(match[1]) for match in _MARKER.finditer(masked, start, end))
    return AnswerSentence(text, tuple(dict.fromkeys(numbers)), start, end, lead_in)

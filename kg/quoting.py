"""Text of users, graphs and models as it may stand in a prompt: data that cannot leave its place.

Prompts put each value between tags of their own (<evidence>, <question>, …). Nothing quoted here
can close such a tag, open one, look like an evidence id in brackets or like a chat template's own
marks. This makes text harmless to its surroundings; it does not judge what the text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.model import Evidence, Hop
from kg.text import clean_label, visible, well_formed

__all__ = [
    "NOTHING",
    "TAGS",
    "evidence_lines",
    "harmless",
    "opaque_ids",
    "quoted_question",
    "quoted_text",
]

# The tags that prompts put around what they quote.
TAGS = (
    "answer",
    "conversation",
    "evidence",
    "last_question",
    "notes",
    "options",
    "question",
    "reference",
    "reply",
    "step",
    "topics",
)
# What stands in a prompt where there is nothing to quote.
NOTHING = {"en": "(nothing)", "zh": "（无）"}

_LONGEST_LABEL = 500
_LONGEST_QUESTION = 4000
_OPEN, _CLOSE = "[【［〔", "]】］〕"
_BRACKETS = str.maketrans({**dict.fromkeys(_OPEN, "("), **dict.fromkeys(_CLOSE, ")")})
_ANGLES = str.maketrans({"<": "‹", ">": "›", "＜": "‹", "＞": "›", "`": "'"})
_IDS = r"(?<![A-Za-z])(?:[EeＥｅ]\d+[\s,;，；、-]*)+"
_ID_IN_BRACKETS = re.compile(rf"[(（]\s*({_IDS})[)）]")
# In a question only these brackets change: "[E1]", "[see E1]".
_ID_IN_SQUARES = re.compile(
    rf"[{re.escape(_OPEN)}]\s*\^?\s*((?:[^\W\d_]+[.:：]?\s*)??{_IDS})[{re.escape(_CLOSE)}]"
)
_OUR_TAGS = re.compile(
    rf"[<＜](\s*[/／]?\s*(?:{'|'.join(TAGS)})\b[^<>＜＞]*|\|[^<>]*\||/?s|(?:start|end)_of_turn|/?SYS)[>＞]",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(r"\[(/?INST)\]", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n+")
_SOURCE = {"en": "source: ", "zh": "来源："}
_ABSENCE = {"en": "looked for and not found", "zh": "已查找，未见"}


def opaque_ids(evidence: Iterable[Evidence]) -> dict[str, str]:
    """Opaque id → evidence key, in the order given; an item that comes twice gets one id.

    Ids are what a model may cite (E1, E2, …). They never reach the reader.
    """
    keys = dict.fromkeys(item.key for item in evidence)
    return {f"E{position}": key for position, key in enumerate(keys, start=1)}


def evidence_lines(evidence: Iterable[Evidence], language: str) -> tuple[str, dict[str, str]]:
    """The evidence as it stands in a prompt, definitions first, and id → evidence key.

    One item per line: `[E2] subject — relation — object (qualifiers; source)`, hops joined by `;`.
    Without evidence there is one line that says so.
    """
    ordered = sorted(evidence, key=lambda item: not item.is_description)
    ids = opaque_ids(ordered)
    items = {item.key: item for item in reversed(ordered)}
    lines = [f"[{name}] {_told(items[key], language)}" for name, key in ids.items()]
    return "\n".join(lines) or NOTHING[language], ids


def harmless(text: str, longest: int = _LONGEST_LABEL) -> str:
    """Graph text on one line that cannot close its place, look like an id or open a tag."""
    return _cut(_plain(clean_label(well_formed(text))[: 4 * longest]), longest)


def quoted_text(text: str, longest: int) -> str:
    """What a model wrote, of several lines: a hypothesis, notes, a reply, an answer.

    Ids of evidence lose their brackets but stay readable. At most about `longest` characters.
    """
    kept = visible(well_formed(text[: 4 * longest]))
    return _cut(_BLANK_LINES.sub("\n", _plain(kept)).strip(), longest)


def quoted_question(text: str) -> str:
    """The user's question in its own words, and names of the graph that were put into it.

    Only what looks like a delimiter is changed: tags, and brackets around ids of evidence.
    """
    kept = visible(well_formed(text)).strip()[:_LONGEST_QUESTION]
    kept = _INSTRUCTION.sub(r"(\1)", _OUR_TAGS.sub(r"‹\1›", kept))
    return _without_brackets(kept, _ID_IN_SQUARES, _ID_IN_BRACKETS)


def _plain(text: str) -> str:
    return _without_brackets(text.translate(_ANGLES).translate(_BRACKETS), _ID_IN_BRACKETS)


def _without_brackets(text: str, *patterns: re.Pattern[str]) -> str:
    """The text with what the patterns find out of its brackets, also where these are nested."""
    before = ""
    while text != before:
        before = text
        for pattern in patterns:
            text = pattern.sub(r"\1", text)
    return text


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + " …"


def _told(item: Evidence, language: str) -> str:
    if item.is_description and item.hops:
        triple = item.hops[0].triple
        text = triple.object.label if triple.object.iri is None else triple.subject.description
        return f"{harmless(triple.subject.label)}: {harmless(text or item.text)}"
    if not item.hops:
        return harmless(item.text)
    return "; ".join(_hop(hop, language) for hop in item.hops)


def _hop(hop: Hop, language: str) -> str:
    triple = hop.triple
    ends = (triple.subject.label, triple.relation.label, triple.object.label)
    statement = " — ".join(harmless(end) for end in ends)
    notes = [f"{harmless(name)}: {harmless(value)}" for name, value in triple.qualifiers]
    if triple.relation.aspect == "absence":
        notes.insert(0, _ABSENCE[language])
    titles = ", ".join(harmless(source.title) for source in triple.sources)
    notes.append(_SOURCE[language] + titles)
    return f"{statement} ({'; '.join(notes)})"

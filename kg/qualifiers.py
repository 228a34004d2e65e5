"""How a fact's qualifiers are read: the line of a treatment and the frequency of a finding.

Values that are not understood are kept apart as they stand: nothing is guessed.
"""

from __future__ import annotations

import re

from kg.model import Triple

__all__ = ["BANDS", "band", "band_of", "figure", "frequency", "line", "qualifier", "share"]

# The Human Phenotype Ontology's bands (HP:0040279) from most to least often, each with its lowest
# share and the middle of its range.
_BANDS = (
    ("very frequent", 0.8, 0.9),
    ("frequent", 0.3, 0.55),
    ("occasional", 0.05, 0.17),
    ("rare", 0.0, 0.03),
)
BANDS = tuple(name for name, _, _ in _BANDS)
# What the same words mean of a medicine's effects (CIOMS III): the lowest share of each.
_EFFECT_BANDS = (("very frequent", 0.1), ("frequent", 0.01), ("occasional", 0.001), ("rare", 0.0))
_MIDDLE = {name: middle for name, _, middle in _BANDS}
_WORDS = {
    "very frequent": "very frequent, very common, obligate, always, hp:0040280, hp:0040281,"
    "非常常见, 很常见",
    "frequent": "frequent, common, hp:0040282, 常见, 多见",
    "occasional": "occasional, uncommon, hp:0040283, 偶见, 不常见",
    "rare": "rare, very rare, very uncommon, hp:0040284, 罕见, 少见",
}
_BAND_OF = {word.strip(): band for band, words in _WORDS.items() for word in words.split(",")}
_LINES = {
    "first": ("first", "first line", "1", "1st", "一线", "首选"),
    "second": ("second", "second line", "2", "2nd", "二线"),
    "third": ("third", "third line", "3", "3rd", "三线"),
    "add on": ("add on", "adjunct", "adjunctive", "辅助"),
}
_LINE_OF = {word: line for line, words in _LINES.items() for word in words}
_FEWEST = 5  # a finding in 1 of 1 cases is not "very frequent"
_COUNTS = re.compile(r"\d+\s*/\s*\d+(?:\s*;\s*\d+\s*/\s*\d+)*")
_COUNT = re.compile(r"(\d+)\s*/\s*(\d+)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%?(?:\s*[-–]\s*(\d+(?:\.\d+)?))?\s*%")


def qualifier(triple: Triple, name: str) -> str | None:
    """The first value of this qualifier, or None."""
    return next((value for key, value in triple.qualifiers if key == name and value.strip()), None)


def line(triple: Triple) -> str | None:
    """'first', 'second', 'third', 'add on' or the value as it stands; None without one."""
    value = qualifier(triple, "line")
    if value is None:
        return None
    return _LINE_OF.get(value.strip().lower().replace("-", " "), value.strip())


def frequency(triple: Triple) -> str | None:
    """The frequency as the graph states it."""
    value = qualifier(triple, "frequency")
    return value.strip() if value else None


def figure(value: str) -> str | None:
    """What a stated frequency says beyond its band: its numbers, or all of it without a band."""
    if ";" in value and not _COUNTS.fullmatch(value.strip()):
        said = dict.fromkeys(figure(part.strip()) for part in value.split(";"))
        return "; ".join(one for one in said if one) or None
    if band(value) is None:
        return value
    if match := re.fullmatch(r"[^()]*\(([^()]*\d[^()]*)\)", value):
        return match[1]
    return value if any(c.isdigit() for c in value) else None


def band(value: str | None) -> str | None:
    """The band that a stated frequency falls into: a word, counts or a percentage."""
    stated = share(value)
    if stated is None:
        return None
    return next(name for name, lowest, _ in _BANDS if stated >= lowest)


def band_of(triple: Triple) -> str | None:
    """The band of a fact's frequency: of an effect of a medicine as pharmacists use the words.

    Where one source gives a word and another numbers, the word counts.
    """
    value = frequency(triple)
    if triple.relation.aspect != "side-effect" or value is None:
        return band(value)
    parts = [part.strip() for part in value.split(";")]
    words = [known for part in parts if (known := _BAND_OF.get(part.lower()))]
    stated = share(value)
    if words or stated is None:
        return words[0] if words else None
    return next(name for name, lowest in _EFFECT_BANDS if stated >= lowest)


def share(value: str | None) -> float | None:
    """The share (0 to 1) that a frequency states: the middle of its band, n/m, or a percentage.

    Several counts of one fact ("16/21; 30/53") are pooled; fewer than five cases state none. Of
    several statements that are not all counts, as two sources make them, the mean is taken.
    """
    if value is None:
        return None
    text = value.strip().lower()
    if ";" in text and not _COUNTS.fullmatch(text):
        parts = [one for part in text.split(";") if (one := share(part)) is not None]
        return sum(parts) / len(parts) if parts else None
    known = _BAND_OF.get(re.sub(r"\s*\(.*\)$", "", text)) or _BAND_OF.get(text)
    if known:
        return _MIDDLE[known]
    if _COUNTS.fullmatch(text):
        counts = [(int(n), int(m)) for n, m in _COUNT.findall(text)]
        cases, all_cases = sum(n for n, _ in counts), sum(m for _, m in counts)
        return cases / all_cases if 0 < cases <= all_cases and all_cases >= _FEWEST else None
    if match := _PERCENT.fullmatch(text):
        ends = [float(end) for end in match.groups() if end is not None]
        percent = sum(ends) / len(ends)
        return percent / 100 if percent <= 100 else None
    return None

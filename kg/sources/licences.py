"""What a licence's text or address says about commercial use. No legal advice."""

from __future__ import annotations

import re

__all__ = ["is_non_commercial"]

# NC as a part of a Creative Commons code, or words that say the same, in English and Chinese.
_NON_COMMERCIAL = re.compile(
    r"\bnon[-\s]?commercial"
    r"|\b(?:cc|by)[-\s/](?:by[-\s/])?nc\b"
    r"|/licenses/by-nc"
    r"|\bnot?\b[^.;,]{0,20}\bfor (?:any )?(?:commercial|profit)"
    r"|\b(?:no|not|without) (?:any )?commercial (?:use|usage|purposes?)"
    r"|\b(?:research|academic|educational|personal)(?:(?:,| and| or|/) ?\w+)* (?:use|purposes?)"
    r" only"
    r"|\bonly for (?:\w+ )?(?:research|academic|educational|personal)\b"
    r"|非商业|非商用|禁止商用|不得用于商业|仅供(?:学术|科研|研究|个人|学习)",
    re.IGNORECASE,
)
# "…, commercial and non-commercial, is allowed" restricts nothing.
_BOTH = re.compile(
    r"\bcommercial(?:,? and|,? or|/| as well as) non[-\s]?commercial"
    r"|\bnon[-\s]?commercial(?:,? and|,? or|/| as well as) commercial",
    re.IGNORECASE,
)


def is_non_commercial(licence: str | None) -> bool:
    """Whether the licence allows no commercial use, as far as its words or its address tell."""
    text = _BOTH.sub("", licence or "")
    return _NON_COMMERCIAL.search(text) is not None

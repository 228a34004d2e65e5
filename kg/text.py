"""Text as names, mentions, ranking and the checker see it: tokens, folding, windows, n-grams.

Folding maps spellings that mean the same name to one key: case, accents, width, apostrophes and
possessives, punctuation, English plurals, British and American spelling, Greek letters, Roman
numerals before Chinese classifiers, traditional characters. It never changes what is shown.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

__all__ = [
    "STOP_WORDS",
    "Token",
    "Window",
    "clean_label",
    "fold",
    "is_abbreviation",
    "is_cjk",
    "language_of",
    "simplified",
    "tokens",
    "visible",
    "well_formed",
    "windows",
    "without_names",
    "word_cutter",
]

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_APOSTROPHES = "'\u2019\u02bc\u00b4\u0060\u2018"
# Zero-width and soft-hyphen characters carry no meaning in a name and are dropped everywhere.
_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\U000e0000-\U000e007f"
)
_TOKEN = re.compile(
    rf"[{CJK}]"
    rf"|(?![{CJK}])[^\W_](?:(?![{CJK}])[^\W_]|[\u0300-\u036f{_INVISIBLE}]"
    rf"|[{_APOSTROPHES}](?=(?![{CJK}])[^\W_]))*"
)
# The same for ASCII, where a plain pattern is four times as fast.
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:['`][A-Za-z0-9]+)*")
_IS_CJK = re.compile(rf"[{CJK}]")
_STRIP = re.compile(rf"[{_INVISIBLE}]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_CONTROL_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_OUR = re.compile(r"our(?=$|ed$|ing$|al$)")
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s?$")
_APOSTROPHE = re.compile(rf"[{_APOSTROPHES}]")
_ROMAN = re.compile(r"(?<![a-z0-9])(i{1,3}|iv|vi{0,3})(?=[型期度级类])")
_ROMAN_VALUE = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
_ROMAN_VALUE |= {"vi": "6", "vii": "7", "viii": "8"}
_NO_PLURAL = frozenset(
    "aids does gas gbs has his hers ids ms this thus was yes ards sars mers".split()
)
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_UNACCENTED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "ı": "i", "æ": "e", "œ": "e"})

# Words that are never a mention by themselves and never corrected to one.
STOP_WORDS = frozenset(
    """
    a about above after again all also am an and another any are around as at away back be because
    been before being below best better between both but by call came can cat could day damage did
    do does doing done down each eat else end even ever every few find first for from get give go
    goes going good got great had has have having he hello help her here hers him his how i if in
    into is it its itself just keep kind kit know last less let like list long look lot made main
    make many may me mean means met might more most much must my name need never new next no none
    nor not now of off often old on once one only or other our out over own part people place
    please put rest right said same say see seen set shall she should show side so some soon still
    such take tell than thank thanks that the their them then there these they thing think this
    those time to today too two under until up upon us use used very want was way we well were what
    when where whether which while who whom whose why will with within without would yes yet you
    your
    """.split()
)


class Token(NamedTuple):
    """A word, or one Chinese character, with its place in the text and its folded form."""

    text: str
    start: int
    end: int
    folded: str


class Window(NamedTuple):
    """A run of neighbouring tokens: its place in the text and its folded form."""

    start: int
    end: int
    folded: str
    size: int


def is_cjk(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return _IS_CJK.search(text) is not None


def language_of(text: str) -> str:
    """'zh' when Chinese characters make up a fair part of the text, else 'en'."""
    chinese = len(_IS_CJK.findall(text))
    words = sum(1 for token in _TOKEN.finditer(text) if not _IS_CJK.match(token.group()))
    return "zh" if chinese and chinese >= words else "en"


def simplified(text: str) -> str:
    """The text with traditional characters as simplified ones, each in its place."""
    if not is_cjk(text):
        return text
    return "".join(_simplified(c) if _IS_CJK.match(c) else c for c in text)


def clean_label(text: str) -> str:
    """A label as it may be shown: one line, without invisible or control characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(_CONTROL.sub(" ", _STRIP.sub("", unicodedata.normalize("NFC", text))).split())


def well_formed(text: str) -> str:
    """The text with halves of characters joined, or replaced where the other half is missing."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def visible(text: str) -> str:
    """Text of several lines without invisible and control characters; breaks and tabs stay."""
    return _CONTROL_IN_LINES.sub("", _STRIP.sub("", text))


def tokens(text: str) -> list[Token]:
    """The words and Chinese characters of a text, in order; punctuation separates."""
    found = _pattern(text).finditer(text)
    return [Token(m.group(), m.start(), m.end(), _fold_token(m.group())) for m in found]


def fold(text: str) -> str:
    """The key under which a name is found; empty when the text holds no letter or digit."""
    return _join([_fold_token(word) for word in _pattern(text).findall(text)])


def windows(text_tokens: list[Token], longest: int = 10, longest_cjk: int = 20) -> Iterator[Window]:
    """All runs of neighbouring tokens, by start and then longest first.

    A run without Chinese holds at most `longest` words, one with Chinese `longest_cjk` tokens.
    """
    folded = [token.folded for token in text_tokens]
    chinese = [is_cjk(word) for word in folded]
    for first in range(len(text_tokens)):
        run: list[Window] = []
        has_chinese, start = False, text_tokens[first].start
        for last in range(first, min(first + longest_cjk, len(text_tokens))):
            has_chinese = has_chinese or chinese[last]
            if last - first >= longest and not has_chinese:
                break
            joined = _joined(folded[first : last + 1], has_chinese)
            run.append(Window(start, text_tokens[last].end, joined, last - first + 1))
        yield from reversed(run)


def is_abbreviation(name: str) -> bool:
    """Whether a name is written as an abbreviation: short and mostly capitals or digits."""
    letters = [c for c in name if c.isalnum()]
    capitals = sum(1 for c in letters if c.isupper() or c.isdigit())
    return 0 < len(letters) <= 6 and not is_cjk(name) and capitals * 2 > len(letters)


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else _TOKEN


def _join(parts: list[str]) -> str:
    return _joined(parts, any(map(is_cjk, parts)))


def _joined(parts: list[str], has_chinese: bool) -> str:
    # Chinese is written without spaces, and names that mix scripts differ in theirs: drop them.
    if not has_chinese:
        return " ".join(parts)
    whole = "".join(parts)
    if "i" in whole or "v" in whole:
        return _ROMAN.sub(lambda m: _ROMAN_VALUE[m.group(1)], whole)
    return whole


@lru_cache(maxsize=65536)
def _fold_token(token: str) -> str:
    if token.isascii() and token.isalnum():
        return _american(_singular(token.lower()))
    if _IS_CJK.match(token):
        return _simplified(token)
    word = _STRIP.sub("", token)
    word = _APOSTROPHE.sub("", _POSSESSIVE.sub("", word))
    word = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", word).casefold())
    word = "".join(c for c in word if not unicodedata.combining(c)).translate(_UNACCENTED)
    # ŉ holds an apostrophe, ½ a stroke
    word = "".join(c for c in _APOSTROPHE.sub("", word) if c.isalnum())
    word = "".join(_GREEK.get(c, c) for c in word)
    return _american(_singular(word))


def _singular(word: str) -> str:
    if len(word) < 4 or not word.isascii() or word in _NO_PLURAL:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _american(word: str) -> str:
    word = word.replace("oe", "e").replace("ae", "e").replace("sulph", "sulf")
    if "oe" in word or "ae" in word:  # of "aae" is left "ae": folding twice must change nothing
        return _american(word)
    return _OUR.sub("or", word) if "our" in word else word


@lru_cache(maxsize=32768)
def _simplified(character: str) -> str:
    return unicodedata.normalize("NFKC", str(_converter().convert(character)))


@lru_cache(maxsize=1)
def _converter() -> Any:
    import opencc  # loading its tables takes a moment: only when Chinese text appears

    return opencc.OpenCC("t2s")


@lru_cache(maxsize=1)
def word_cutter() -> Any:
    """jieba with its own dictionary; no name is added, since added words cut longer ones."""
    import jieba  # reading its dictionary takes a second: only when Chinese is in doubt

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


def without_names(text: str, names: Iterable[str]) -> str:
    """The text with a space in place of each name, the longest first, in any case of letters.

    A name goes as a whole word: "ear" leaves "heart" as it is. Chinese writes no spaces.
    """
    for name in sorted(set(names), key=lambda one: (-len(one), one)):
        if name:
            text = re.sub(re.escape(name), _space_for_word, text, flags=re.IGNORECASE)
    return text


def _space_for_word(found: re.Match[str]) -> str:
    """A space in place of what was found, where it does not cut a word."""
    text, (start, end) = found.string, found.span()
    cuts = any(
        _is_spaced(own) and other and _is_spaced(other)
        for own, other in (
            (text[start], text[max(0, start - 1) : start]),
            (text[end - 1], text[end : end + 1]),
        )
    )
    return found.group() if cuts else " "


def _is_spaced(character: str) -> bool:
    return character.isalnum() and not is_cjk(character)

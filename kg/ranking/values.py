"""What the values of facts are, told from how they look: codes, numbers, files, classes of all.

Used where facts are ordered without a question (kg.ranking.salience). In English and Chinese.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kg.model import Triple
from kg.roles import relation_words
from kg.text import STOP_WORDS, is_cjk, tokens

__all__ = ["is_bookkeeping", "is_code", "is_number", "is_top_class", "words_of"]

_CODES = frozenset(
    "code id identifier url uri website homepage page image thumbnail picture depiction caption"
    " logo map xref reference signature file link wiki".split()
)
_CHINESE_CODES = re.compile("编码|代码|编号|网址|网站|主页|图片|图像|图标|文件|链接|标识")
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|svg|tiff?|ogg|ogv|webm|webp|pdf|mp3)(?:\?|$)", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+]?[\d.,]+(?:e[-+]?\d+)?", re.IGNORECASE)
_CODE = re.compile(r"(?:[A-Za-z_.]+[:_])?[A-Za-z]?\d+")
# The top of every vocabulary: that a thing is one of these says next to nothing.
_TOP = frozenset(
    "abstraction|agent|concept|creative work|entity|event|individual|item|object|organisation"
    "|organization|person|physical object|place|resource|spatial thing|species|thing|work"
    "|事物|实体|对象|概念|人物|地点|事件|组织|机构|作品".split("|")
)
# Letters and digits apart: "Player110439851" is a player.
_APART = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


def is_bookkeeping(triple: Triple) -> bool:
    """Whether a fact is for machines: a code, a link, a picture, a file."""
    if _FILE.search(triple.object.iri or ""):
        return True
    words = relation_words(triple.relation)
    if is_cjk(words):
        return _CHINESE_CODES.search(words) is not None
    return not _CODES.isdisjoint(words.split())


def is_number(text: str) -> bool:
    """Whether a text is nothing but a number."""
    return _NUMBER.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Whether a text is nothing but an identifier: Q42, wikidata:Q42, 2153141."""
    return _CODE.fullmatch(text) is not None


def is_top_class(label: str) -> bool:
    """Whether a class is one that nearly everything belongs to."""
    return label.lower() in _TOP


@lru_cache(maxsize=8192)
def words_of(text: str) -> frozenset[str]:
    """The folded words of a text without grammar; Chinese as pairs of characters."""
    found: set[str] = set()
    run = ""
    for token in tokens(_APART.sub(" ", text)):
        word = token.folded
        if is_cjk(word):
            run += word
            continue
        found |= _pairs(run)
        run = ""
        if word and word not in STOP_WORDS:
            found.add(word)
    return frozenset(found | _pairs(run))


def _pairs(run: str) -> set[str]:
    return {run} if len(run) == 1 else {run[i : i + 2] for i in range(len(run) - 1)}

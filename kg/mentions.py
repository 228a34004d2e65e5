"""Text → mentions: the graph's names in a question, as they are shown and linked.

The graph finds every name, nested ones too; this chooses which spans to link, knows the
abbreviations that the text itself defines (kg.abbreviations), and finds the words that may be
names in other words. It asks no graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kg.aspects import names_an_aspect
from kg.model import Mention
from kg.text import STOP_WORDS, Token, fold, is_abbreviation, is_cjk, tokens, windows, word_cutter

__all__ = ["OpenSpan", "longest", "mentions_of_terms", "nested", "open_spans"]

LONGEST_RUN = 4  # words
MOST_OPEN = 60  # spans of one text
SHORTEST_WORD = 4  # letters of a word that may be a name by itself
LONGEST_TERM = 100  # characters

# Words for whole classes of things, which a question seldom asks about as such.
_GENERIC = frozenset(
    fold(word)
    for word in "disease diseases disorder disorders illness condition conditions syndrome patient "
    "patients people person men women man woman body care role parent parents 疾病 病 患者 病人 "
    "综合征 人体".split()
)
# What asks how things hang together, which some graph has as an entity.
_HOW_TOGETHER = frozenset(
    fold(word)
    for word in "relation relationship difference differences connection link similarity common "
    "关系 联系 关联 区别 差别 差异 不同 不同点 不同之处 共同 共同点 共同之处 相同 相同点 相似 异同 "
    "出现 发生 导致 引起 有关 相关 影响 情况 问题".split()
)
# "X患者" asks about X, "A和B" about both, whatever else a graph calls so.
_PATIENTS = ("患者", "病人", "人群", "的人")
_BOTH = re.compile("以及|和|与|及|或|、")
# Words that are no part of a name: what is done, when and how much, and the talk around it.
_PLAIN = (
    STOP_WORDS
    | _GENERIC
    | frozenset(
        fold(word)
        for word in """
        acute affect allow does doing done answer ask associate avoid aware become begin believe
        bring case cases caused certain change chance chronic combine common commonly compare
        concern connect contain correct daily deal decrease depend develop difference different
        doctor doctors drug drugs during effect effects effective either enough especially etc
        every exact exist expect experience explain factor factors fact find follow form frequent
        general generally given getting going great group happen having helpful helps high higher
        however hypothesis important improve include including increase indicate instead involve
        kinds knowledge lead likely low lower main mainly maybe mechanism medication medications
        medicine medicines mild moderate name names normal occur offer often option options
        possible possibly potential prescribe prescribed prevent primary produce provide question
        rare really recommend reduce refer related relate relation relationship relevant report
        require respond result results say seem several severe severity similar since situation
        specific start state step steps stop study suffer suffering suggest suitable sudden
        suddenly suppose taking tell therefore treat treated treats try trying typical typically
        understand unknown useful using usual usually various vs week weeks whether work works
        year years young old child children adult adults month months day days hour hours help
        helped
        """.split()
    )
)
_CHINESE_PLAIN = frozenset(
    "什么 哪些 怎么 怎样 如何 为什么 是否 可以 能够 应该 需要 可能 会 我们 你们 他们 一个 "
    "一种 以及 或者 但是 因为 所以 如果 这个 那个 这种 有关 关于 进行 出现 发生 常见 主要 "
    "一般 通常 患者 病人 疾病 人体 医生 问题 情况 方法 作用 影响 引起 导致 治疗 预防 症状 "
    "原因 表现 检查 药物 相关 包括 或 和 与 及 的 了 吗 呢 是 有 在 对 等 也 都 就 还 "
    "请问 时候 之间 关系 哪种 区别 多久 几天 最近 一直 没有 不是 不能 已经 突然 经常 比较 "
    "非常 严重".split()
)


@dataclass(frozen=True, slots=True)
class OpenSpan(Mention):
    """Words that no name of the graph covers: linked by the meaning of its names alone (Eq. 1)."""


def longest(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Spans that do not overlap, longer before shorter, in order of the text.

    Words that only say what is asked for ("symptoms of") are no mention, even where the graph has
    an entity of that name; nor are words for whole classes beside others ("which diseases …"), nor
    names that only put others together (糖尿病和高血压, 高血压患者).
    """
    chosen: list[Mention] = []
    for mention in sorted(_simple(mentions), key=lambda m: (m.start - m.end, m.start)):
        free = all(mention.end <= m.start or m.end <= mention.start for m in chosen)
        if free and not names_an_aspect(mention.text):
            chosen.append(mention)
    return _telling(chosen)


def _simple(mentions: Sequence[Mention]) -> list[Mention]:
    """Without Chinese names that only add 患者 to another, or put two others together."""
    spans = {(mention.start, mention.end) for mention in mentions}

    def is_put_together(one: Mention) -> bool:
        for ending in _PATIENTS:
            if one.text.endswith(ending) and (one.start, one.end - len(ending)) in spans:
                return True
        return any(
            (one.start, one.start + joint.start()) in spans
            and (one.start + joint.end(), one.end) in spans
            for joint in _BOTH.finditer(one.text)
        )

    return [mention for mention in mentions if not is_put_together(mention)]


def nested(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The longest spans and those inside them (HyKGE's nested names), by start, longest first.

    What `longest` never takes for a mention is none here either.
    """
    outer = longest(mentions)
    inner = [
        mention
        for mention in _simple(mentions)
        if any(m.start <= mention.start and mention.end <= m.end for m in outer)
        and not names_an_aspect(mention.text)
    ]
    return _telling(dict.fromkeys((*outer, *inner)))


def _telling(mentions: Sequence[Mention] | dict[Mention, None]) -> tuple[Mention, ...]:
    silent = _GENERIC | _HOW_TOGETHER
    telling = [mention for mention in mentions if fold(mention.text) not in silent]
    return tuple(sorted(telling or mentions, key=lambda m: (m.start, m.start - m.end)))


def mentions_of_terms(text: str, terms: Sequence[str]) -> tuple[Mention, ...]:
    """Terms that a model named, each once, where it stands in the text first.

    A term that does not stand there, however it is spelled, gets start and end 0, keeps its own
    words and counts as the model's guess. Empty terms and whole sentences are left out.
    """
    places: dict[str, tuple[int, int]] = {}
    for window in windows(tokens(text), longest=LONGEST_TERM // 2, longest_cjk=LONGEST_TERM):
        places.setdefault(window.folded, (window.start, window.end))
    found: dict[str, Mention] = {}
    for term in terms:
        folded = fold(term)
        if not folded or len(term) > LONGEST_TERM or folded in found:
            continue
        start, end = places.get(folded, (0, 0))
        own = text[start:end] or " ".join(term.split())
        found[folded] = Mention(own, start, end, "question" if end else "hypothesis")
    return tuple(found.values())


class _Unit(NamedTuple):
    """A word of either language; `plain` when it is no part of a name."""

    start: int
    end: int
    plain: bool


def open_spans(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Runs of up to four words that may be names in other words, longest runs first.

    No run lies inside a mention or has only what a mention has: "heart attack" is one where the
    graph knows "heart". Words that ask, and words for what is done, end a run.
    """
    found: dict[OpenSpan, None] = {}
    for run in _runs(text):
        for size in range(min(LONGEST_RUN, len(run)), 0, -1):
            for first in range(len(run) - size + 1):
                span = (run[first].start, run[first + size - 1].end)
                if _may_be_name(text[slice(*span)]) and _is_open(span, mentions):
                    found[OpenSpan(text[slice(*span)], *span)] = None
    ordered = sorted(found, key=lambda span: (-len(_units(span.text)), span.start))
    return tuple(ordered[:MOST_OPEN])


def _runs(text: str) -> Iterator[list[_Unit]]:
    """Neighbouring words without a plain one or punctuation between them."""
    run: list[_Unit] = []
    for unit in _units(text):
        if run and (unit.plain or text[run[-1].end : unit.start].strip(" -\u2010\u2011")):
            yield run
            run = []
        if not unit.plain:
            run.append(unit)
    if run:
        yield run


def _units(text: str) -> list[_Unit]:
    """Latin words, and Chinese ones as jieba cuts them."""
    units: list[_Unit] = []
    position = 0
    words = word_cutter().cut(text) if is_cjk(text) else [t.text for t in tokens(text)]
    for word in words:
        start = text.index(word, position)
        position = start + len(word)
        if is_cjk(word):
            units.append(_Unit(start, position, word in _CHINESE_PLAIN or names_an_aspect(word)))
        else:
            units += [_Unit(start + t.start, start + t.end, _is_plain(t)) for t in tokens(word)]
    return units


def _is_plain(token: Token) -> bool:
    words = {token.folded, token.text.lower()}
    return not words.isdisjoint(_PLAIN) or names_an_aspect(token.text)


def _may_be_name(text: str) -> bool:
    """Whether words may name something that has another name: no number, no abbreviation."""
    if is_cjk(text):
        return len(fold(text)) > 1
    if len(fold(text)) < SHORTEST_WORD or is_abbreviation(text):
        return False
    return not tokens(text)[0].text.isdigit()


def _is_open(span: tuple[int, int], mentions: Sequence[Mention]) -> bool:
    """Whether a span goes beyond every mention that it touches, and cuts none in two."""
    start, end = span
    for one in mentions:
        apart = one.end <= start or end <= one.start
        holds = start <= one.start and one.end <= end and (start, end) != (one.start, one.end)
        if not (apart or holds):
            return False
    return True

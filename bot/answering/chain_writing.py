"""Chains in words: one citation each, told hop by hop as the graph states the hops.

What stands between two things in the same role to both is told of both ("As symptoms of both A
and B, …"); nothing is ever concluded from one hop to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from bot.answering import phrases
from bot.answering.chain_shapes import ChainGroup, entities_along
from bot.answering.statements import object_text, people_note, roles_of, statement, verb
from bot.answering.wording import capitalised, escape, join, speaker, with_article
from kg.model import Evidence, Source, Triple

__all__ = ["chain_sentence"]

Number = Callable[[Evidence], str]
# A statement, the sources that make it, and the aspect of its fact.
Told = tuple[str, tuple[Source, ...], str]

_HELPS = frozenset({"treatment", "prevention"})
_HARMS = frozenset({"contraindication", "interaction", "side-effect", "non-indication"})


def chain_sentence(group: ChainGroup, language: str, number: Number) -> str:
    """The sentence for the chains of one shape; `number` gives each one's marker."""
    writers = {"shared": _shared, "middle": _middle, "last": _last}
    return capitalised(writers[group.shape](group.chains, language, number))


def _shared(chains: Sequence[Evidence], language: str, number: Number) -> str:
    triple = chains[0].hops[0].triple
    roles = roles_of(triple)
    first, middle, last = entities_along(chains[0])
    both = phrases.BOTH[language].format(one=escape(first.label), other=escape(last.label))
    of_middle = roles.topic.key == middle.key and not roles.symmetric
    told = phrases.telling(roles.asked, language)
    assert told is not None  # the shape asks for it
    noun = phrases.noun_of(roles.asked, language)
    items = _listed([(escape(entities_along(c)[1].label), number(c)) for c in chains], language)
    topic = value = both
    if language == "zh":
        topic = phrases.CHINESE_BOTH.get(("topic", roles.asked), "{both}共同").format(both=both)
        value = phrases.CHINESE_BOTH.get(("value", roles.asked), "{both}").format(both=both)
    one = told.one if len(items) == 1 else told.many
    return (told.value if of_middle else one).format(
        topic=topic,
        value=value,
        source=speaker(triple.sources, language),
        lists=verb("list", _count(triple.sources)),
        noun=noun.many,
        a_noun=noun.many if of_middle else with_article(noun.one),
        items=join(items, language),
    )


def _middle(chains: Sequence[Evidence], language: str, number: Number) -> str:
    each = phrases.EACH[language]
    hops = chains[0].hops
    told: list[Told] = []
    for place, hop in enumerate(hops):
        at_subject = hop.forward is (place > 0)  # the middle begins the second hop, ends the first
        told.append(_told(hop.triple, language, **{"subject" if at_subject else "value": each}))
    items = _listed([(escape(entities_along(c)[1].label), number(c)) for c in chains], language)
    return _according(_harm_last(told), language, listed=join(items, language))


def _last(chains: Sequence[Evidence], language: str, number: Number) -> str:
    *before, last = chains[0].hops
    told = [_told(hop.triple, language) for hop in before]
    if len(chains) == 1:
        gap = "" if language == "zh" else " "
        told = _harm_last([*told, _told(last.triple, language)])
        return _according(told, language, marker=gap + number(chains[0]))
    ends = [(object_text(c.hops[-1].triple), number(c)) for c in chains]
    note = people_note(last.triple, language)
    if note:
        ends = [(_noted(text, note, language), marker) for text, marker in ends]
    items = join(_listed(ends, language), language)
    triple = last.triple
    text = statement(triple, language, value=items)
    told.append((text, triple.sources, triple.relation.aspect))
    return _according(told, language)


def _told(triple: Triple, language: str, **ends: str) -> Told:
    """A hop as a statement, with the people for whom alone it holds."""
    text = statement(triple, language, **ends)
    note = people_note(triple, language)
    text = _noted(text, note, language) if note else text
    return text, triple.sources, triple.relation.aspect


def _harm_last(told: list[Told]) -> list[Told]:
    """Of two statements the one that tells a harm after the one that tells a help."""
    turned = len(told) == 2 and told[0][2] in _HARMS and told[1][2] in _HELPS
    return told[::-1] if turned else told


def _noted(text: str, note: str, language: str) -> str:
    return f"{text}（{note}）" if language == "zh" else f"{text} ({note})"


def _listed(items: Sequence[tuple[str, str]], language: str) -> list[str]:
    """Each item with its markers; what reads the same is one item with all of them."""
    merged: dict[str, list[str]] = {}
    for text, marker in items:
        merged.setdefault(text, []).append(marker)
    gap = "" if language == "zh" else " "
    return [f"{text}{gap}{''.join(dict.fromkeys(markers))}" for text, markers in merged.items()]


def _according(told: Sequence[Told], language: str, *, listed: str = "", marker: str = "") -> str:
    """Statements after the sources that make them, each source named once in a row."""
    runs = [list(run) for _, run in groupby(told, lambda one: speaker(one[1], language))]
    said = _joined(runs[0], language)
    for run in runs[1:]:
        said = phrases.ACCORDING_ALSO[language].format(
            before=said, source=speaker(run[0][1], language), statement=_joined(run, language)
        )
    if listed:
        said = phrases.LISTED[language].format(statement=said, items=listed)
    source = speaker(told[0][1], language)
    return phrases.ACCORDING[language].format(source=source, statement=said + marker)


def _joined(run: Sequence[Told], language: str) -> str:
    """Statements one after the other; of a help and a harm, the harm is told as one."""
    texts = [text for text, _, _ in run]
    if len(run) == 2 and run[0][2] in _HELPS and run[1][2] in _HARMS:
        return phrases.BUT[language].format(one=texts[0], other=texts[1])
    if language == "zh":
        return "，".join(texts)
    *before, last = texts
    return f"{', '.join(before)}, and {last}" if before else last


def _count(sources: Sequence[Source]) -> int:
    return len({source.title or source.name for source in sources})

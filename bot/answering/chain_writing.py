"""Chains in words: one citation each, told hop by hop as the graph states the hops.

What stands between two things in the same role to both is told of both ("As symptoms of both A
and B, …"); nothing is ever concluded from one hop to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bot.answering import phrases
from bot.answering.chain_shapes import ChainGroup, entities_along
from bot.answering.statements import Clause, clause, object_text, people_note, roles_of, verb
from bot.answering.wording import capitalised, escape, join, speaker, with_article
from kg.model import Evidence, Source, Triple

__all__ = ["chain_sentence"]

Number = Callable[[Evidence], str]

_HELPS = frozenset({"treatment", "prevention"})
_HARMS = frozenset({"contraindication", "interaction", "side-effect", "non-indication"})


@dataclass(frozen=True, slots=True)
class _Told:
    """What one hop states, for whom alone, by which sources, and the aspect of its fact."""

    clause: Clause
    note: str
    sources: tuple[Source, ...]
    aspect: str


def chain_sentence(group: ChainGroup, language: str, number: Number) -> str:
    """The sentence for the chains of one shape; `number` gives each one's marker."""
    writers = {"shared": _shared, "middle": _middle, "last": _last}
    return capitalised(writers[group.shape](group, language, number))


def _shared(group: ChainGroup, language: str, number: Number) -> str:
    chains = group.chains
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
    if of_middle:
        template = told.value_more if group.more else told.value
    else:
        one = told.one if len(items) == 1 else told.many
        template = told.more if group.more else one
    return template.format(
        topic=topic,
        value=value,
        source=speaker(triple.sources, language),
        lists=verb("list", _count(triple.sources)),
        noun=noun.many,
        a_noun=noun.many if of_middle else with_article(noun.one),
        items=join(items, language),
    )


def _middle(group: ChainGroup, language: str, number: Number) -> str:
    each, place, chains = phrases.EACH[language], group.place, group.chains
    told = []
    for n, hop in enumerate(chains[0].hops):
        # What differs ends the hop before it and begins the one behind it.
        ends = {}
        if n in (place - 1, place):
            ends = {"subject" if hop.forward is (n == place) else "value": each}
        told.append(_told(hop.triple, language, **ends))
    along = [(escape(entities_along(c)[place].label), number(c)) for c in chains]
    items = join(_listed(along, language), language)
    return _according(_harm_last(told), language, listed=items)


def _last(group: ChainGroup, language: str, number: Number) -> str:
    chains = group.chains
    *before, last = chains[0].hops
    told = [_told(hop.triple, language) for hop in before]
    if len(chains) == 1:
        gap = "" if language == "zh" else " "
        told = _harm_last([*told, _told(last.triple, language)])
        return _according(told, language, marker=gap + number(chains[0]))
    ends = [(object_text(c.hops[-1].triple), number(c)) for c in chains]
    if note := people_note(last.triple, language):
        ends = [(text + _noted(note, language), marker) for text, marker in ends]
    items = join(_listed(ends, language), language)
    told.append(replace(_told(last.triple, language, value=items), note=""))
    return _according(told, language)


def _told(triple: Triple, language: str, **ends: str) -> _Told:
    note = people_note(triple, language)
    return _Told(
        clause(triple, language, **ends),
        _noted(note, language) if note else "",
        triple.sources,
        triple.relation.aspect,
    )


def _harm_last(told: list[_Told]) -> list[_Told]:
    """Of two statements the one that tells a harm after the one that tells a help."""
    turned = len(told) == 2 and told[0].aspect in _HARMS and told[1].aspect in _HELPS
    return told[::-1] if turned else told


def _noted(note: str, language: str) -> str:
    return f"（{note}）" if language == "zh" else f" ({note})"


def _listed(items: Sequence[tuple[str, str]], language: str) -> list[str]:
    """Each item with its markers; what reads the same is one item with all of them."""
    merged: dict[str, list[str]] = {}
    for text, marker in items:
        merged.setdefault(text, []).append(marker)
    gap = "" if language == "zh" else " "
    return [f"{text}{gap}{''.join(dict.fromkeys(markers))}" for text, markers in merged.items()]


def _according(told: Sequence[_Told], language: str, *, listed: str = "", marker: str = "") -> str:
    """Statements after the sources that make them, each source named once in a row."""
    runs = [list(run) for _, run in groupby(told, lambda one: speaker(one.sources, language))]
    said = _joined(runs[0], language)
    for run in runs[1:]:
        said = phrases.ACCORDING_ALSO[language].format(
            before=said, source=speaker(run[0].sources, language), statement=_joined(run, language)
        )
    if listed:
        said = phrases.LISTED[language].format(statement=said, items=listed)
    source = speaker(told[0].sources, language)
    return phrases.ACCORDING[language].format(source=source, statement=said + marker)


def _joined(run: Sequence[_Told], language: str) -> str:
    """Statements one after the other; of a help and a harm, the harm is told as one.

    What two of them have in common is said once: "X treats A and B", "X treats A but harms C".
    """
    contrast = len(run) == 2 and run[0].aspect in _HELPS and run[1].aspect in _HARMS
    texts: list[str] = []
    before: _Told | None = None
    for told in _merged(run, language):
        if before and before.clause.subject == told.clause.subject is not None:
            form = phrases.BUT_ALSO if contrast else phrases.AND_ALSO
            other = told.clause.told + told.note
            texts[-1] = form[language].format(one=texts[-1], other=other)
        else:
            texts.append(told.clause.text + told.note)
        before = told
    if contrast and len(texts) == 2:
        return phrases.BUT[language].format(one=texts[0], other=texts[1])
    if language == "zh":
        return "，".join(texts)
    *first, last = texts
    return f"{', '.join(first)}, and {last}" if first else last


def _merged(run: Iterable[_Told], language: str) -> list[_Told]:
    """The statements, each two that differ in one end alone as one."""
    merged: list[_Told] = []
    for told in run:
        before = merged[-1] if merged else None
        if before and (one := _as_one(before, told, language)):
            merged[-1] = one
        else:
            merged.append(told)
    return merged


def _as_one(before: _Told, told: _Told, language: str) -> _Told | None:
    one, other = before.clause, told.clause
    alike = one.predicate == other.predicate and one.connects == other.connects
    if not alike or before.note != told.note or None in (one.subject, other.subject):
        return None
    if one.subject == other.subject:
        both = join([one.object, other.object], language)
        return replace(before, clause=replace(one, object=both))
    if language == "zh" and one.object == other.object:  # no verb has to agree with two subjects
        both = join([str(one.subject), str(other.subject)], language)
        return replace(before, clause=replace(one, subject=both))
    return None


def _count(sources: Sequence[Source]) -> int:
    return len({source.title or source.name for source in sources})

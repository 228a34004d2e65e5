"""Writes an answer from evidence without a language model, in English or Chinese.

It says what the graph says, every sentence ends with its citation, and the checker supports each
by construction. It never advises, never counts and never says "no" because the graph is silent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.answering import phrases
from bot.answering.chain_shapes import grouped
from bot.answering.chain_writing import chain_sentence
from bot.answering.facts import choose
from bot.answering.groups import Fact, Group, group
from bot.answering.remarks import abstention_remarks, remarks
from bot.answering.statements import is_clause, object_text, people_note, statement, verb
from bot.answering.wording import capitalised, escape, join, speaker, with_article
from bot.citations.numbers import Numbers
from bot.citations.sentences import plain_sentences
from kg.model import Evidence, Retrieval, Source, Triple
from kg.qualifiers import figure, frequency
from kg.text import clean_label

__all__ = ["Composed", "compose"]

_LONGEST_LIST = 7
_LONGEST_DESCRIPTION = 4  # sentences


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer, the keys that it cites in order of first citation, and what stands beside it."""

    answer: str
    cited: tuple[str, ...]
    remarks: tuple[str, ...]


def compose(retrieval: Retrieval, numbers: Numbers) -> Composed:
    """The answer to a question from its evidence; the abstention when none is to the point."""
    choice = choose(retrieval)
    writer = _Writer(retrieval.language, numbers)
    paragraphs = [writer.description(item) for item in choice.descriptions]
    before: Group | None = None
    groups = group(choice.triples, retrieval)
    for members in groups:
        if before and _same_subject(before, members):
            paragraphs[-1] += _gap(retrieval.language) + writer.group(members, before)
        else:
            paragraphs.append(writer.group(members, None))
        before = members
    paragraphs += [
        chain_sentence(chains, retrieval.language, writer.number)
        for chains in grouped(choice.chains, retrieval.language)
    ]
    if not paragraphs:
        abstention = phrases.ABSTENTION[retrieval.language]
        return Composed(abstention, (), abstention_remarks(retrieval, choice))
    cited = tuple(writer.cited)
    return Composed("\n\n".join(paragraphs), cited, remarks(retrieval, choice))


def _same_subject(before: Group, after: Group) -> bool:
    """Whether two groups are told in one paragraph."""
    one, two = before.first, after.first
    same_aspect = one.asked == two.asked
    return same_aspect and one.known == two.known and one.from_topic == two.from_topic


def _gap(language: str) -> str:
    return "" if language == "zh" else " "


@dataclass(slots=True)
class _Writer:
    """Sentences in one language; `cited` grows as they are written."""

    language: str
    numbers: Numbers
    cited: dict[str, None] = field(default_factory=dict)

    def description(self, item: Evidence) -> str:
        triple = item.hops[0].triple
        parts = plain_sentences(_description_text(item))[:_LONGEST_DESCRIPTION]
        opening = phrases.DESCRIBES[self.language].format(
            source=speaker(triple.sources, self.language),
            describes=_verb("describe", triple.sources),
            topic=escape(triple.subject.label),
            text=escape(parts[0]),
        )
        sentences = [capitalised(opening), *(escape(part) for part in parts[1:])]
        stop = "。" if self.language == "zh" else "."
        marker = self._marker(item)
        return _gap(self.language).join(f"{sentence}{marker}{stop}" for sentence in sentences)

    def group(self, members: Group, before: Group | None) -> str:
        """All facts of a group: sentences of at most seven items each."""
        fact = members.first
        told = phrases.telling(fact.asked, self.language)
        if told is None or fact.told.iri is None:
            return self._by_relation(members)
        items = self._items(members)
        sentences = []
        for start in range(0, len(items), _LONGEST_LIST):
            some = items[start : start + _LONGEST_LIST]
            more = start > 0
            if fact.from_topic:
                template = told.more if more else (told.one if len(some) == 1 else told.many)
            else:
                template = told.value_more if more or before else told.value
            sentences.append(self._sentence(template, members, members if more else before, some))
        return _gap(self.language).join(sentences)

    def _sentence(
        self, template: str, members: Group, before: Group | None, items: Sequence[str]
    ) -> str:
        fact = members.first
        sources = fact.triple.sources
        noun = phrases.noun_of(fact.asked, self.language)
        kind = self._kind(members, before)
        source = speaker(sources, self.language)
        if before and before.first.triple.sources == sources:
            one, several = phrases.SAME_SOURCE[self.language]
            source = one if _verb("list", sources) == "lists" else several
        return capitalised(
            template.format(
                topic=escape(fact.topic.label),
                value=escape(fact.value.label),
                source=source,
                lists=_verb("list", sources),
                label=escape(fact.triple.relation.label),
                noun=f"{kind}{noun.many}",
                a_noun=with_article(f"{kind}{noun.one}"),
                items=join(items, self.language),
            )
        )

    def _kind(self, members: Group, before: Group | None) -> str:
        """The words for the line of treatment and the frequency that the whole group shares."""
        names = []
        if members.line in phrases.LINE_NAMES[self.language]:
            names.append(phrases.LINE_NAMES[self.language][members.line])
        if members.band:
            names.append(phrases.BAND_NAMES[self.language][members.band])
        if not names and before and members.first.from_topic and (before.line or before.band):
            names.append(phrases.OTHER[self.language])
        gap = _gap(self.language)
        return "".join(name + gap for name in names)

    def _items(self, members: Group) -> list[str]:
        """Each item with its markers; facts that read the same are one item with all markers."""
        merged: dict[str, list[str]] = {}
        for fact in members.facts:
            merged.setdefault(self._item(fact, members), []).append(self.number(fact.evidence))
        gap = _gap(self.language)
        return [f"{item}{gap}{''.join(dict.fromkeys(n))}" for item, n in merged.items()]

    def _item(self, fact: Fact, members: Group) -> str:
        notes = []
        stated = frequency(fact.triple)
        if stated and (shown := figure(stated)):
            notes.append(escape(shown))
        if members.line and members.line not in phrases.LINE_NAMES[self.language]:
            notes.append(escape(members.line))
        if people := people_note(fact.triple, self.language):
            notes.append(people)
        label = escape(fact.told.label)
        if not notes:
            return label
        if self.language == "zh":
            return f"{label}（{'，'.join(notes)}）"
        return f"{label} ({', '.join(notes)})"

    def _by_relation(self, members: Group) -> str:
        """Facts told by their relation's label: the ends in which they differ in a list."""
        facts = members.facts
        if all(fact.triple.subject == facts[0].triple.subject for fact in facts):
            tell, longest = self._of_one_subject, _LONGEST_LIST
        else:
            whole = is_clause(facts[0].triple, self.language)
            tell, longest = self._of_one_object, _LONGEST_LIST if whole else 1
        starts = range(0, len(facts), longest)
        return _gap(self.language).join(tell(facts[start : start + longest]) for start in starts)

    def _of_one_subject(self, facts: Sequence[Fact]) -> str:
        objects = [self._cited(object_text(fact.triple), fact) for fact in facts]
        triple = facts[0].triple
        told = statement(triple, self.language, value=join(objects, self.language))
        return self._according(triple, told)

    def _of_one_object(self, facts: Sequence[Fact]) -> str:
        triple = facts[0].triple
        if len(facts) == 1:
            return self._of_one_subject(facts)
        subjects = [self._cited(escape(fact.triple.subject.label), fact) for fact in facts]
        told = phrases.LISTED[self.language].format(
            statement=statement(triple, self.language, subject=phrases.EACH[self.language]),
            items=join(subjects, self.language),
        )
        return self._according(triple, told)

    def _cited(self, text: str, fact: Fact) -> str:
        return f"{text}{_gap(self.language)}{self.number(fact.evidence)}"

    def _according(self, triple: Triple, told: str) -> str:
        source = speaker(triple.sources, self.language)
        return phrases.ACCORDING[self.language].format(source=source, statement=told)

    def _marker(self, item: Evidence) -> str:
        return _gap(self.language) + self.number(item)

    def number(self, item: Evidence) -> str:
        """The marker of an item, which is cited by this."""
        self.cited[item.key] = None
        return f"[{self.numbers.number(item.key)}]"


def _description_text(item: Evidence) -> str:
    triple = item.hops[0].triple
    if triple.object.iri is None and triple.object.label.strip():
        return clean_label(triple.object.label)
    return clean_label(triple.subject.description or item.text)


def _verb(word: str, sources: Sequence[Source]) -> str:
    return verb(word, len({source.title or source.name for source in sources}))

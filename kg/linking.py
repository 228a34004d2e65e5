"""Mention → entity: chooses among the candidates that the graph names, and keeps the others.

Order of trust: exact, folded, an abbreviation that the text defines, fuzzy (all by the graph's
names), then the nearest name in meaning above the encoder's own δ (HyKGE, Eq. 1). Among
homonyms the context decides (kg.homonyms).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kg.abbreviations import defined_abbreviations
from kg.errors import DeadlineExceeded
from kg.homonyms import Context, choose, homonyms, is_meant, spelled
from kg.mentions import OpenSpan, longest, nested
from kg.model import Candidate, LinkedEntity, Mention
from kg.protocols import NameVectors
from kg.reading import Reading
from kg.text import is_abbreviation

__all__ = ["LinkOptions", "link"]

MOST_NEAREST = 5


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """How to link. `nested` keeps names inside longer ones, as HyKGE does.

    `vectors` None leaves Eq. 1 out; `delta` None is the encoder's own threshold; `vectors_only`
    links by Eq. 1 alone.
    """

    nested: bool = False
    vectors: NameVectors | None = None
    delta: float | None = None
    vectors_only: bool = False

    @property
    def threshold(self) -> float:
        """δ: the inner product that a nearest name has to reach."""
        own = self.vectors.delta if self.vectors is not None else 0.0
        return own if self.delta is None else self.delta


@dataclass(frozen=True, slots=True)
class _Name:
    """A mention with the name to look up for it."""

    mention: Mention
    text: str
    by_definition: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A mention with what it may mean; `how` where that is not the candidate's own."""

    mention: Mention
    candidates: tuple[Candidate, ...]
    by_definition: bool = False


def link(
    text: str,
    mentions: Sequence[Mention],
    aspects: Sequence[str],
    reading: Reading,
    options: LinkOptions = LinkOptions(),  # noqa: B008 - frozen
) -> tuple[LinkedEntity, ...]:
    """The entities that a text speaks of, each once, in order of their first mention.

    `mentions` are names in `text`, open spans (kg.mentions) among them, and terms that do not
    stand in it; those of the question come before those of the hypothesis. When the time runs
    out, what is linked by then is given; DeadlineExceeded when that is nothing.
    """
    named = [mention for mention in mentions if not isinstance(mention, OpenSpan)]
    spans = [
        span
        for origin in ("question", "hypothesis")
        for span in (nested if options.nested else longest)(
            [mention for mention in named if mention.origin == origin]
        )
    ]
    context = Context(text, aspects)
    looked_up = _names(spans, context)
    found = [] if options.vectors_only else _by_name(looked_up, reading)
    linked = {one.mention for one in found}
    lacking = [one for one in looked_up if one.mention not in linked]
    if options.vectors_only:
        lacking = [_Name(span, span.text) for span in spans]
    else:  # what is written as an abbreviation has no meaning to an encoder
        lacking = [one for one in lacking if not is_abbreviation(one.text)]
    lacking += [_Name(span, span.text) for span in mentions if isinstance(span, OpenSpan)]
    found += _by_meaning(lacking, reading, options)
    found.sort(key=lambda one: _place(one.mention))
    return _entities(found, context, reading)


def _names(spans: Sequence[Mention], context: Context) -> list[_Name]:
    """What to look up for each span: its words, or the long form that the text gives for them."""
    defined = defined_abbreviations(context.text, spans)
    return [
        _Name(span, defined[span.text].text, by_definition=True)
        if span.text in defined
        else _Name(span, spelled(span, context))
        for span in spans
    ]


def _place(mention: Mention) -> tuple[bool, int, int]:
    """The order of a text: the question's first, longer spans before those inside them."""
    return mention.origin == "hypothesis", mention.start, -mention.end


def _by_name(names: Sequence[_Name], reading: Reading) -> list[_Found]:
    """The spans that the graph has a name for."""
    found: list[_Found] = []
    try:
        for one in names:
            candidates = reading.candidates(one.text)
            if candidates:
                found.append(_Found(one.mention, candidates, one.by_definition))
    except DeadlineExceeded:
        if not found:
            raise
    return found


def _by_meaning(names: Sequence[_Name], reading: Reading, options: LinkOptions) -> list[_Found]:
    """Spans without a name of the graph by the nearest one, where it is near enough (Eq. 1).

    Of open spans that overlap, the one nearest to a name is kept.
    """
    if options.vectors is None:
        return []
    nearest = reading.nearest([one.text for one in names], options.vectors, MOST_NEAREST)
    near = [
        _Found(one.mention, candidates)
        for one, candidates in zip(names, nearest, strict=True)
        if candidates and candidates[0].score >= options.threshold
    ]
    near.sort(key=lambda one: (-one.candidates[0].score, one.mention.start, -one.mention.end))
    kept: list[_Found] = []
    for one in near:
        free = all(_apart(one.mention, other.mention) for other in kept)
        if free or not isinstance(one.mention, OpenSpan):
            kept.append(one)
    return kept


def _apart(one: Mention, other: Mention) -> bool:
    apart = one.end <= other.start or other.end <= one.start
    return apart or one.origin != other.origin


def _entities(
    found: Sequence[_Found], context: Context, reading: Reading
) -> tuple[LinkedEntity, ...]:
    """What each mention means, each entity once, by a mention that is no part of another if any."""
    meant = [one for one in found if is_meant(one.mention, homonyms(one.candidates), context)]
    several = {id(one): homonyms(one.candidates) for one in meant}
    sure = tuple(dict.fromkeys(s[0].iri for s in several.values() if len(s) == 1))
    context = replace(context, others=sure)
    linked: dict[str, LinkedEntity] = {}
    outer = [one.mention for one in meant]
    for one in meant:
        best = _best(one.mention, several[id(one)], context, reading)
        how = "abbreviation" if one.by_definition else best.how
        entity = LinkedEntity(
            one.mention.text,
            best.iri,
            best.label,
            best.score,
            how,
            one.mention.origin,
            one.candidates,
            _is_inside(one.mention, outer),
        )
        known = linked.setdefault(best.iri, entity)
        if known.nested and not entity.nested:  # "the flu vaccine against flu" asks about flu too
            linked[best.iri] = entity
    return tuple(linked.values())


def _is_inside(mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a name stands inside a longer one, at this place of the text."""
    return any(
        other.origin == mention.origin
        and other.start <= mention.start < mention.end <= other.end
        and len(other.text) > len(mention.text)
        for other in others
    )


def _best(
    mention: Mention, found: Sequence[Candidate], context: Context, reading: Reading
) -> Candidate:
    # The nearest name is the rule of Eq. 1: nothing else chooses there.
    if len(found) == 1 or found[0].how == "embedding":
        return found[0]
    try:
        profiles = reading.profiles([*(candidate.iri for candidate in found), *context.others])
    except DeadlineExceeded:  # the next stage says so
        return found[0]
    return choose(mention, found, context, profiles)

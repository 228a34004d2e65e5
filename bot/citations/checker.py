"""Checks every sentence of an answer against what it cites, without a language model.

First checker: both ends of each cited item must be named; negation, the kind and direction of the
relation must not contradict; numbers and strong words must be in the evidence. It is deterministic
and reads English and Chinese. A path is judged by bot.citations.chains. What it does not do: find a
further claim that has no citation of its own inside a cited sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.answering.phrases import is_abstention
from bot.answering.wording import plain
from bot.citations import reasons
from bot.citations.chains import chain_objection, foreign_name
from bot.citations.claims import (
    OBJECT,
    SUBJECT,
    is_negated,
    numbers_in,
    other_relation,
    strong_words,
    turned_round,
)
from bot.citations.coverage import coverage
from bot.citations.naming import BOUNDARY, Names, Naming
from bot.citations.sentences import AnswerSentence, replace_markers, split
from bot.record import Check, Sentence, Verdict
from kg.model import Entity, Evidence, Triple
from kg.qualifiers import line
from kg.roles import SYMMETRIC, topic_is_subject
from kg.text import language_of, tokens

__all__ = ["check", "recall_and_precision"]

_PRONOUN = re.compile(
    r"\s*(?:(?:it|its|they|their|these|this|those|both|he|she)\b|该|其|它|这|此|两者)",
    re.IGNORECASE,
)
_STOPS = frozenset(".!?。！？…")
_MARKER_BEFORE = re.compile(r"\[\d{1,3}\]")
_NAMED_COVERAGE, _ALONE_COVERAGE = 0.6, 0.85
# Aspects whose facts say what is not so.
_DENYING = frozenset({"contraindication", "non-indication"})
_LONG_LITERAL = 6


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a sentence states (its lead-in's words included), and what a pronoun may refer to."""

    own: str
    stated: Naming
    context: Naming
    language: str

    def names(self, entity: Entity) -> bool:
        return self.stated.names(entity) or self.context.names(entity)


def check(
    answer: str, evidence: Mapping[int, Evidence], *, cut_off: bool = False
) -> tuple[Sentence, ...]:
    """The verdict on each sentence; () for an abstention. `cut_off` drops a last half sentence."""
    if is_abstention(answer):
        return ()
    names = Names(evidence.values())
    language = language_of(answer)
    parts = split(answer)
    if cut_off and parts and not _stopped(answer[parts[-1].start : parts[-1].end]):
        parts = parts[:-1]
    checked = []
    before = ""
    lead_in = names.find("")  # the same for all items of a list: looked through once
    for part in parts:
        own = plain(part.text)
        bounded = plain(replace_markers(answer[part.start : part.end], BOUNDARY))
        stated = names.find(bounded)
        if part.lead_in:
            if lead_in.text != plain(part.lead_in):
                lead_in = names.find(plain(part.lead_in))
            stated = lead_in.followed_by(stated)
        context = before if _PRONOUN.match(part.text) else ""
        claim = _Claim(own, stated, names.find(context), language)
        checked.append(_check_sentence(part, claim, evidence))
        before = own
    return tuple(checked)


def _stopped(sentence: str) -> bool:
    """Whether a stop ends it, with nothing but markers and signs behind."""
    end = len(sentence)
    while end and not (sentence[end - 1].isalnum() or sentence[end - 1] == "_"):
        end -= 1
        if sentence[end] in _STOPS:
            return True
        if sentence[end] == "]":
            starts = range(max(0, end - 4), end - 1)
            end = next((s for s in starts if _MARKER_BEFORE.fullmatch(sentence, s, end + 1)), end)
    return False


def recall_and_precision(sentences: Iterable[Sentence]) -> tuple[float | None, float | None]:
    """Share of sentences that are supported; share of citations that support at least in part."""
    judged = list(sentences)
    checks = [c for sentence in judged for c in sentence.checks]
    supported = sum(1 for sentence in judged if sentence.verdict == "supported")
    backing = sum(1 for c in checks if c.verdict in ("supported", "partly"))
    recall = supported / len(judged) if judged else None
    return recall, backing / len(checks) if checks else None


def _check_sentence(
    part: AnswerSentence, claim: _Claim, evidence: Mapping[int, Evidence]
) -> Sentence:
    if not part.citations:
        return Sentence(part.text, (), "uncited")
    cited = [evidence[number] for number in part.citations if number in evidence]
    missing = _missing(claim, cited) or _foreign(claim, cited)
    checks = []
    for number in part.citations:
        item = evidence.get(number)
        reason = _objection(claim, item) if item else reasons.no_evidence(claim.language)
        if reason:
            checks.append(Check(number, "unsupported", reason))
        elif missing:
            checks.append(Check(number, "partly", missing))
        else:
            checks.append(Check(number, "supported"))
    return Sentence(part.text, part.citations, _overall(checks), tuple(checks))


def _overall(checks: list[Check]) -> Verdict:
    verdicts = {c.verdict for c in checks}
    if verdicts == {"unsupported"}:
        return "unsupported"
    return "supported" if verdicts == {"supported"} else "partly"


def _objection(claim: _Claim, item: Evidence) -> str | None:
    """Why this item does not back the sentence; None when nothing speaks against it."""
    if item.kind == "description" or not item.hops:
        return _description_objection(claim, item)
    first, last = _ends(item)
    for end in (first, last):
        if not _named(claim, end):
            return reasons.not_named(end.label, claim.language)
    if len(item.hops) > 1:
        return chain_objection(claim.stated, claim.context, item, claim.language)
    triple = item.hops[0].triple
    return _negation_objection(claim, triple) or _relation_objection(claim, triple)


def _negation_objection(claim: _Claim, triple: Triple) -> str | None:
    aspect = triple.relation.aspect
    value = OBJECT if topic_is_subject(triple.relation) else SUBJECT
    negated = is_negated(claim.stated.masked(triple.subject, triple.object), value)
    if aspect == "absence":
        return None if negated else reasons.is_absent(claim.language)
    if aspect == "non-indication" and not negated:
        return reasons.is_denied(claim.language)
    said = " ".join([triple.relation.label, triple.subject.label, triple.object.label])
    if negated and aspect not in _DENYING and not is_negated(said):
        return reasons.is_present(claim.language)
    return None


def _relation_objection(claim: _Claim, triple: Triple) -> str | None:
    relation = triple.relation
    masked = claim.stated.masked(triple.subject, triple.object)
    label = relation.label
    if other_relation(masked, frozenset({relation.aspect})) and label not in claim.stated.text:
        return reasons.other_relation(label, claim.language)
    if relation.aspect in SYMMETRIC:
        return None
    if turned_round(masked, relation.aspect, topic_is_subject(relation)):
        return reasons.turned_round(claim.language)
    return None


def _description_objection(claim: _Claim, item: Evidence) -> str | None:
    described = item.hops[0].triple.subject if item.hops else None
    text = _text(item)
    names = [source.title for hop in item.hops for source in hop.triple.sources]
    names += [source.name for hop in item.hops for source in hop.triple.sources]
    if described:
        names += [described.label, *described.synonyms]
    if is_negated(claim.own) and not is_negated(text):
        return reasons.is_present(claim.language)
    share = coverage(claim.own, text, names)
    named = described is None or claim.names(described)
    if share >= (_NAMED_COVERAGE if named else _ALONE_COVERAGE):
        return None
    if not named and described:
        return reasons.not_named(described.label, claim.language)
    return reasons.not_in_text(claim.language)


def _named(claim: _Claim, end: Entity) -> bool:
    if claim.names(end):
        return True
    if end.iri is not None or len(tokens(end.label)) < _LONG_LITERAL:
        return False
    return coverage(claim.own, end.label, ()) >= _NAMED_COVERAGE


def _ends(item: Evidence) -> tuple[Entity, Entity]:
    """Where a chain begins and where it ends, as it was walked."""
    first, last = item.hops[0], item.hops[-1]
    start = first.triple.subject if first.forward else first.triple.object
    end = last.triple.object if last.forward else last.triple.subject
    return start, end


def _missing(claim: _Claim, cited: list[Evidence]) -> str | None:
    """A number or a strong word of the sentence that none of its evidence holds."""
    held = " ".join(_everything(item) for item in cited)
    masked = claim.stated.masked(Entity(None, ""), Entity(None, ""))
    numbers = set(numbers_in(held))
    for number in numbers_in(masked):
        if number not in numbers:
            return reasons.number_missing(number, claim.language)
    lines = {line(hop.triple) for item in cited for hop in item.hops}
    for word in strong_words(masked):
        ranked = re.sub(r"[- ]", " ", word) in ("first line", "first choice", "一线", "首选")
        if word not in held.lower() and not (ranked and "first" in lines):
            return reasons.word_missing(word, claim.language)
    return None


def _foreign(claim: _Claim, cited: list[Evidence]) -> str | None:
    """What a sentence on a path claims of a thing that none of its evidence names."""
    name = foreign_name(claim.stated, cited)
    return reasons.not_in_evidence(name, claim.language) if name else None


def _text(item: Evidence) -> str:
    if not item.hops:
        return item.text
    triple = item.hops[0].triple
    parts = [item.text, triple.subject.description or ""]
    return " ".join([*parts, triple.object.label if triple.object.iri is None else ""])


def _everything(item: Evidence) -> str:
    parts = [item.text]
    for hop in item.hops:
        triple = hop.triple
        for entity in (triple.subject, triple.object):
            parts += [entity.label, *entity.synonyms, *entity.identifiers, entity.description or ""]
        parts += [triple.relation.label, *triple.references]
        parts += [value for _, value in triple.qualifiers]
        parts += [text for source in triple.sources for text in (source.name, source.title)]
    return " ".join(parts)

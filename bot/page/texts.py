"""A record → the message that shows it, and the step that tells how it was found, as Markdown."""

from __future__ import annotations

from bot.answering.phrases import is_abstention
from bot.answering.wording import plain
from bot.notices import drafts_note
from bot.page.hygiene import as_text, safe_markdown
from bot.page.words import words_for
from bot.record import AnswerRecord
from kg.model import CHAIN_KINDS, LinkedEntity
from kg.text import clean_label

__all__ = ["advice_text", "message_text", "stage_name", "step_name", "step_text"]

_MOST_CANDIDATES = 5
_STAGES = ("mentions", "linking", "retrieval", "ranking", "answer", "check")


def message_text(record: AnswerRecord) -> str:
    """The message of an answer: advice, claims (or why there are none), its end, cautions."""
    words = words_for(record.retrieval.language)
    parts = [advice_text(record.safety.advice)] if record.safety.advice else []
    if record.answer:
        parts.append(safe_markdown(record.answer))
    elif record.status == "failed":
        # A stored record has all its problems in the retrieval, a fresh one has them in both.
        problems = (*record.retrieval.problems, *record.problems)
        parts.append(as_text(problems[-1] if problems else words["failed"]))
    if is_abstention(record.answer) or (not record.answer and record.status != "failed"):
        parts += [safe_markdown(remark) for remark in record.remarks]
    if record.status in ("stopped", "cut off") or (record.status == "failed" and record.answer):
        parts.append(f"*{as_text(words[record.status])}*")
    if record.cautions:
        parts.append(_caution_text(record.cautions))
    return "\n\n".join(part.strip() for part in parts if part.strip())


def advice_text(advice: str) -> str:
    """Emergency advice as a box that stands above everything else (Chainlit's alert syntax)."""
    return f"::: caution\n{as_text(clean_label(advice))}\n:::"


def _caution_text(cautions: tuple[str, ...]) -> str:
    """What a reader must not miss, in a box of its own below the answer."""
    mark = "• " if len(cautions) > 1 else ""
    lines = [mark + as_text(clean_label(plain(caution))) for caution in cautions]
    return "\n".join(["::: warning", *lines, ":::"])


def stage_name(stage: str, language: str) -> str:
    """What the step says while a stage runs."""
    words = words_for(language)
    return words.get(f"stage_{stage}", words["stage_mentions"])


def step_name(record: AnswerRecord) -> str:
    """The step's title once the answer is there."""
    words = words_for(record.retrieval.language)
    counts = [
        _count(words, "entities", len(record.retrieval.entities)),
        _count(words, "facts", record.retrieval.triples_found),
        _duration(sum(_timings(record).values())),
    ]
    return " · ".join([words["found"], *counts])


def step_text(record: AnswerRecord) -> str:
    """The way from question to evidence."""
    retrieval = record.retrieval
    words = words_for(retrieval.language)
    lines = [f"- **{words['names']}**"]
    lines += [f"  {_linked(entity, words)}" for entity in retrieval.entities]
    if not retrieval.entities:
        lines[0] += f" {words['nothing_linked']}"
    kept = words["kept"].format(found=retrieval.triples_found, kept=len(record.evidence))
    strategy = " — ".join(part for part in (retrieval.strategy, retrieval.why) if part)
    times = " · ".join(
        f"{words.get(f'time_{name}', name)} {_duration(value)}"
        for name, value in _timings(record).items()
    )
    facts = {
        "facts": kept,
        "chains": _chains(record, words),
        "drafts": drafts_note(retrieval),
        "strategy": strategy,
        "time": times,
        "model": record.model.name,
    }
    lines += [f"- **{words[name]}** {as_text(text)}" for name, text in facts.items() if text]
    return "\n".join(lines)


def _linked(entity: LinkedEntity, words: dict[str, str]) -> str:
    how = words.get(entity.how, entity.how)
    mention, label = clean_label(entity.mention), clean_label(entity.label)
    if entity.origin == "hypothesis":
        how = f"{how}, {words['hypothesis']}"
    line = f"- {as_text(mention)} → **{as_text(label)}** ({as_text(how)}, {entity.score:.2f})"
    others = [
        f"{as_text(clean_label(candidate.label))} ({candidate.score:.2f})"
        for candidate in entity.candidates
        if candidate.iri != entity.iri
    ]
    if others:
        line += f"; {words['also']} " + ", ".join(others[:_MOST_CANDIDATES])
    return line


def _chains(record: AnswerRecord, words: dict[str, str]) -> str:
    """How many chains of each kind were found."""
    found = record.retrieval.chains_found
    if not any(found.values()):
        return ""
    counts = " · ".join(f"{words[kind]} {found[kind]:,}" for kind in CHAIN_KINDS if kind in found)
    return words["chains_kept"].format(found=counts, kept=record.retrieval.chains_kept)


def _timings(record: AnswerRecord) -> dict[str, float]:
    known = {**record.retrieval.timings, **record.timings}
    ordered = [name for name in _STAGES if name in known]
    return {name: known[name] for name in [*ordered, *(n for n in known if n not in ordered)]}


def _count(words: dict[str, str], what: str, count: int) -> str:
    return words[f"{what}_one"] if count == 1 else words[f"{what}_many"].format(count=count)


def _duration(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"

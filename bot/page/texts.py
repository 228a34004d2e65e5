"""A record → the message that shows it, and the step that tells how it was found, as Markdown."""

from __future__ import annotations

from collections import Counter

from bot.answering.phrases import is_abstention
from bot.answering.wording import plain
from bot.notices import drafts_note
from bot.page.hygiene import as_text, safe_markdown
from bot.page.words import words_for
from bot.record import AnswerRecord, ModelUse
from kg.model import CHAIN_KINDS, Evidence, LinkedEntity, Retrieval
from kg.text import clean_label

__all__ = ["advice_text", "message_text", "stage_name", "step_name", "step_text"]

_MOST_CANDIDATES = 5
_LONGEST_DRAFT = 2_000  # characters that are shown of one
_LEAST_SHOWN = 0.5  # milliseconds
# What takes time, in the order in which it is told: as it comes in most strategies.
_STAGES = (
    "loading encoder",
    "loading re-ranker",
    "hypothesis",
    "draft",
    "terms",
    "mentions",
    "linking",
    "query expansion",
    "steps",
    "retrieval",
    "chains",
    "ranking",
    "descriptions",
    "correction",
    "notes",
    "model",
    "answer",
    "check",
)


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
    retrieval = record.retrieval
    words = words_for(retrieval.language)
    chains = sum(retrieval.chains_found.values())
    looked_at = "chains" if chains and not retrieval.triples_found else "facts"
    counts = [
        _count(words, "entities", len(retrieval.entities)),
        _count(words, looked_at, retrieval.triples_found or chains),
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
    lines += _kept(record, words)
    lines += _drafts(retrieval, words)
    strategy = " — ".join(part for part in (retrieval.strategy, retrieval.why) if part)
    times = " · ".join(
        f"{words.get(f'time_{name}', name)} {_duration(value)}"
        for name, value in _timings(record).items()
        if value >= _LEAST_SHOWN
    )
    lines.append(_line("strategy", strategy, words))
    lines.append(_line("time", times, words))
    lines.append(_line("model", _model(record.model, words), words))
    return "\n".join(line for line in lines if line)


def _line(name: str, text: str, words: dict[str, str]) -> str:
    return f"- **{words[name]}** {as_text(text)}" if text else ""


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


def _kept(record: AnswerRecord, words: dict[str, str]) -> list[str]:
    """How many facts, chains of each kind and descriptions were found, and are evidence."""
    retrieval = record.retrieval
    kept = Counter(_kind(item.evidence) for item in record.evidence)
    found = retrieval.chains_found if any(retrieval.chains_found.values()) else {}
    facts = words["kept"].format(found=f"{retrieval.triples_found:,}", kept=kept["triple"])
    chains = " · ".join(
        words["chains_of_kind"].format(
            kind=words[kind], found=f"{found[kind]:,}", kept=f"{kept[kind]:,}"
        )
        for kind in CHAIN_KINDS
        if kind in found
    )
    texts = words["descriptions_kept"].format(count=kept["description"])
    return [
        _line("facts", facts if retrieval.triples_found or not found else "", words),
        _line("chains", chains, words),
        _line("descriptions", texts if kept["description"] else "", words),
    ]


def _kind(item: Evidence) -> str:
    """What an item was found as: a path of a single hop is shown as the fact that it is."""
    return "path" if item.kind == "triple" and "chain" in item.scores else item.kind


def _drafts(retrieval: Retrieval, words: dict[str, str]) -> list[str]:
    """What a model wrote on the way, said to be unverified, and below that its lines."""
    told = _line("drafts", drafts_note(retrieval), words)
    shown = []
    for text in (retrieval.hypothesis or "", *retrieval.notes.values()):
        cut = text if len(text) <= _LONGEST_DRAFT else f"{text[:_LONGEST_DRAFT].rstrip()}…"
        shown += [clean_label(line) for line in cut.splitlines()]
    return [told, *(f"  - {as_text(line)}" for line in shown if line)]


def _model(use: ModelUse, words: dict[str, str]) -> str:
    """The model that wrote the answer, and all that was asked of it: by purpose, and tokens."""
    if not use.calls:
        return use.name or ""
    calls = ", ".join(
        f"{words.get(f'call_{purpose}', purpose)} {count}" for purpose, count in use.calls.items()
    )
    parts = [
        use.name or words["no_model"],
        f"{_count(words, 'calls', sum(use.calls.values()))} ({calls})",
        words["tokens"].format(count=f"{use.tokens:,}"),
    ]
    return " · ".join(parts)


def _timings(record: AnswerRecord) -> dict[str, float]:
    known = {**record.retrieval.timings, **record.timings}
    ordered = [name for name in _STAGES if name in known]
    return {name: known[name] for name in [*ordered, *(n for n in known if n not in ordered)]}


def _count(words: dict[str, str], what: str, count: int) -> str:
    return words[f"{what}_one"] if count == 1 else words[f"{what}_many"].format(count=f"{count:,}")


def _duration(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"

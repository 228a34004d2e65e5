"""What the command line prints: answers with their evidence, tables, progress.

Results go to standard output, everything else to standard error. Colours only on a terminal
(click drops them in pipes).
"""

from __future__ import annotations

import json
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, TypeVar

import click

from bot.answering.wording import plain
from bot.notices import drafts_note
from bot.record import AnswerRecord, CitedEvidence
from kg.model import Hop
from kg.sources.statements import ImportReport
from kg.text import clean_label

__all__ = [
    "Progress",
    "age",
    "age_in_days",
    "json_option",
    "print_import",
    "print_json",
    "print_record",
    "print_table",
    "warn",
]

Value = TypeVar("Value")
_GUESS = {"en": " (from the hypothesis)", "zh": "（来自假设）"}


def json_option(command: Callable[..., Value]) -> Callable[..., Value]:
    """Give a command the option --json, as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


class Progress:
    """A line on standard error that says how far a long job is; silent in pipes."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._width = 0

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Show `done` of `total` (None: not known) of a stage, at most ten times a second."""
        if not sys.stderr.isatty() or time.monotonic() - self._shown < 0.1:
            return
        self._shown = time.monotonic()
        line = f"{stage}: {done:,}" + (f" of {total:,}" if total else "")
        click.echo("\r" + line.ljust(self._width), nl=False, err=True)
        self._width = len(line)

    def end(self) -> None:
        """Clear the line."""
        if self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)
            self._width = 0


def age_in_days(day: str | None, today: date) -> int | None:
    """Days since an ISO 8601 date; 0 where it lies ahead, None where there is none.

    A date without day or month counts from the last day that it can mean, so that nothing is
    called older than it is.
    """
    found = re.match(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?!\d)", day or "")
    if found is None:
        return None
    year, month, number = (int(part or 0) for part in found.groups())
    try:
        if number:
            then = date(year, month, number)
        else:
            then = date(year, month or 12, 28) + timedelta(4)  # in the month after
            then -= timedelta(then.day)
    except (ValueError, OverflowError):
        return None
    return max(0, (today - then).days)


def age(days: int | None) -> str:
    """An age in whole years, below two years in whole months; empty where it is not known."""
    if days is None:
        return ""
    years, months = int(days / 365.25), int(days / 30.44)
    number, unit = (years, "year") if years >= 2 else (months, "month")
    return f"{number} {unit}{'' if number == 1 else 's'}"


def warn(text: str) -> None:
    """One line on standard error."""
    click.secho(text, err=True, fg="yellow")


def print_import(report: ImportReport) -> None:
    """What an import did, and what it had to leave out, on standard error."""
    if report.unchanged:
        click.echo(f"{report.name}: the same statements are there already.", err=True)
    else:
        click.echo(
            f"{report.name}: {report.triples:,} triples, {report.entities:,} entities, "
            f"{report.names:,} names in {report.seconds:.1f} s.",
            err=True,
        )
    _warn_samples("skipped", report.skipped, report.skipped_samples)
    _warn_samples("repaired", report.repaired, report.repaired_samples)


def _warn_samples(what: str, count: int, samples: Sequence[str]) -> None:
    if count:
        warn(f"{count:,} {what}, for example:")
        for sample in samples:
            warn(f"  {sample}")


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(rows: Sequence[Mapping[str, object]], empty: str) -> None:
    """Rows as aligned columns, headed by their keys; `empty` when there are none."""
    if not rows:
        click.echo(empty)
        return
    headings = list(rows[0])
    cells = [[_cell(row[heading]) for heading in headings] for row in rows]
    widths = [max(map(_width, column)) for column in zip(headings, *cells, strict=True)]
    for line in (headings, *cells):
        padded = (
            text + " " * (width - _width(text)) for text, width in zip(line, widths, strict=True)
        )
        click.echo("  ".join(padded).rstrip())


def _width(text: str) -> int:
    """Columns on a terminal: Chinese takes two."""
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "–" if value in (None, "") else str(value)


def print_record(record: AnswerRecord) -> None:
    """An answer as a person reads it: advice, claims, numbered evidence, notices."""
    if record.safety.advice:
        click.secho(record.safety.advice + "\n", bold=True)
    click.echo(plain(record.answer))
    for remark in record.remarks:
        click.echo(f"({plain(remark)})")
    for caution in record.cautions:
        click.secho(plain(caution), fg="yellow", bold=True)
    _print_unsupported(record)
    cited = sorted(
        (item for item in record.evidence if item.number is not None),
        key=lambda item: item.number or 0,
    )
    if cited:
        click.secho("\nEvidence", bold=True)
    for item in cited:
        _print_evidence(item, record.retrieval.language)
    unused = len(record.evidence) - len(cited)
    if unused:
        click.echo(f"{unused} more found and not used (--json shows them).")
    click.echo()
    for line in (*record.notices, drafts_note(record.retrieval)):
        if line:
            click.secho(plain(line), dim=True)
    if record.conversation:
        click.secho(f"Conversation {record.conversation}", dim=True)
    for problem in (*record.retrieval.problems, *record.problems):
        warn(problem)


def _print_unsupported(record: AnswerRecord) -> None:
    for sentence in record.sentences:
        if sentence.verdict != "supported":
            reasons = [check.reason for check in sentence.checks if check.reason]
            reason = f": {'; '.join(reasons)}" if reasons else ""
            warn(f"{sentence.verdict}{reason} – {plain(sentence.text)}")


def _print_evidence(item: CitedEvidence, language: str) -> None:
    hops = item.evidence.hops
    if len(hops) == 1:
        hops = (Hop(hops[0].triple),)  # a single fact stands as the graph states it
    guess = _GUESS[language] if item.evidence.origin == "hypothesis" else ""
    click.echo(f"[{item.number}] {_chain_text(hops) or clean_label(item.evidence.text)}{guess}")
    for hop in hops:
        triple = hop.triple
        details = [
            _chain_text((Hop(triple),)) if len(hops) > 1 else "",
            ", ".join(i for i in (*triple.subject.identifiers[:1], *triple.object.identifiers[:1])),
            ", ".join(f"{name}: {value}" for name, value in triple.qualifiers),
            ", ".join(triple.references),
            ", ".join(f"{s.title} {s.version or ''}".strip() for s in triple.sources),
        ]
        line = " · ".join(clean_label(part) for part in details if part)
        click.secho(f"    {line}", dim=True)


def _chain_text(hops: Sequence[Hop]) -> str:
    """The hops in a row as they were walked, each arrow as the graph states it."""
    parts: list[str] = []
    for hop in hops:
        triple = hop.triple
        relation = clean_label(triple.relation.label)
        ends = [clean_label(triple.subject.label), clean_label(triple.object.label)]
        start, end = ends if hop.forward else reversed(ends)
        arrow = f"–{relation}→" if hop.forward else f"←{relation}–"
        parts += [arrow, end] if parts else [start, arrow, end]
    return " ".join(parts)

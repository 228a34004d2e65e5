"""The options of `graphcite kg import`: which there are, for which kinds, what they must hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kg.sources.statements import ImportOptions

__all__ = ["USAGE", "decorate", "kind_and_paths", "read"]

# Kinds are listed in kg.sources.importing, which takes a while to load: a test compares the two.
USAGE = "rdf|obo|hpo|umls|hetionet|cmekg|starter|table:MAPPING"
# What only one kind of import understands, by the option's own name.
_ONLY_FOR = {
    "label_property": "rdf",
    "synonym_property": "rdf",
    "description_property": "rdf",
    "language": "umls",
    "vocabulary": "umls",
    "suppressed": "umls",
}


def _day(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A date as ISO 8601 writes it; the day, or month and day, may be missing."""
    if value is None:
        return None
    try:
        if not re.fullmatch(r"\d{4}(-\d\d){0,2}", value):
            raise ValueError
        date.fromisoformat((value + "-01-01")[:10])
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is no date: write it as 2026-08-31, 2026-08 or 2026."
        ) from None
    return value


def _address(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"https?://[^\s<>\"]+", value):
        raise click.BadParameter(f"{value!r} does not begin with http:// or https://.")
    return value


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """One decorator of several."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _repeated(name: str, metavar: str, text: str) -> Callable[[Any], Any]:
    return click.option(name, multiple=True, metavar=metavar, help=f"{text} May be repeated.")


decorate = _options(
    click.option("--name", help="Name of the source; default: the file's or the kind's."),
    _repeated("--label-property", "PROPERTY", "rdf: its texts are labels."),
    _repeated("--synonym-property", "PROPERTY", "rdf: its texts are synonyms."),
    _repeated("--description-property", "PROPERTY", "rdf: its texts are descriptions."),
    _repeated("--language", "LAT", "umls: language of names to keep, such as ENG; default: all."),
    _repeated("--vocabulary", "SAB", "umls: vocabulary to keep, such as MSH; default: all."),
    click.option("--suppressed", is_flag=True, help="umls: keep what is marked as suppressible."),
    click.option("--title", help="What the source is called in answers."),
    click.option("--version", metavar="TEXT", help="Its version."),
    click.option("--licence", "--license", help="Its licence, in words or as an address."),
    click.option("--date", metavar="DATE", callback=_day, help="Its date: 2026-08-31."),
    click.option("--homepage", metavar="URL", callback=_address, help="Where it comes from."),
)


def kind_and_paths(
    what: Sequence[str], given: Mapping[str, Any]
) -> tuple[str | None, tuple[Path, ...]]:
    """The kind, from the first word or from what only one kind understands, and the paths.

    Raises click.UsageError where these contradict each other, or the first word is nothing.
    """
    kind, paths = _split(what)
    for key in (key for key in _ONLY_FOR if given[key]):
        wanted = _ONLY_FOR[key]
        if kind not in (None, wanted):
            option = f"--{key.replace('_', '-')}"
            raise click.UsageError(f"{option} is for imports of {wanted}, not of {kind}.")
        kind = wanted
    return kind, paths


def _split(what: Sequence[str]) -> tuple[str | None, tuple[Path, ...]]:
    from kg.sources.importing import KINDS, TABLE

    first = what[0]
    if first in KINDS or first.startswith(TABLE):
        if first == TABLE:
            raise click.UsageError(
                "Name a mapping after 'table:': one that is built in, or a file."
            )
        return first, tuple(map(Path, what[1:]))
    if re.fullmatch(r"[\w-]+", first) and not Path(first).exists():
        raise click.UsageError(f"{first!r} is no kind of import ({USAGE}) and no file.")
    return None, tuple(map(Path, what))


def read(given: Mapping[str, Any]) -> ImportOptions:
    """The command's options as the importers take them."""
    from kg.sources.statements import ImportOptions, SourceDetails

    return ImportOptions(
        label_properties=given["label_property"],
        synonym_properties=given["synonym_property"],
        description_properties=given["description_property"],
        languages=given["language"],
        vocabularies=given["vocabulary"],
        suppressed=given["suppressed"],
        details=SourceDetails(
            title=given["title"],
            version=given["version"],
            licence=given["licence"],
            date=given["date"],
            homepage=given["homepage"],
        ),
    )

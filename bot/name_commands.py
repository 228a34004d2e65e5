"""`graphcite kg find` and `graphcite kg vectors`: what the names of the graph lead to."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from bot import terminal
from bot.settings import Settings, load_settings
from kg.deadline import Deadline
from kg.errors import BadInput
from kg.sources.curies import curie_of

if TYPE_CHECKING:
    from kg.protocols import Encoder

__all__ = ["find", "language_option", "vectors"]

language_option = click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the labels.",
)
_PATIENCE = 60.0  # seconds for looking up one name
_SECONDS_PER_BATCH = 600.0  # for a server that embeds


@click.command("find")
@click.argument("name")
@language_option
@terminal.json_option
def find(name: str, language: str, as_json: bool) -> None:
    """The entities that a name, its beginning, its initials or a misspelling may mean.

    Each with how it matched, a score from 0 to 1, and the ids under which the sources know it.

    \b
    Examples:
      graphcite kg find "type 2 diabetes"
      graphcite kg find migr
      graphcite kg find 偏头痛 --language zh
    """
    from kg.local import LocalGraph

    graph = LocalGraph(load_settings().graphs / "medical")
    try:
        found = graph.search(name, language, Deadline.after(_PATIENCE))
        ids = graph.ids([one.iri for one in found])
    finally:
        graph.close()
    rows = [asdict(one) | {"ids": list(ids[one.iri])} for one in found]
    if as_json:
        terminal.print_json(rows)
        return
    terminal.print_table(
        [row | {"ids": ", ".join(curie_of(iri) or iri for iri in row["ids"])} for row in rows],
        f"Nothing in the graph is called {name!r}.",
    )


@click.command("vectors")
@click.option(
    "--name",
    type=click.Choice(["medical", "open"]),
    default="medical",
    show_default=True,
    help="The graph, by the mode that reads it.",
)
@terminal.json_option
def vectors(name: str, as_json: bool) -> None:
    """Embed the graph's names, so that words with another name in the graph are linked too.

    Each name once, by the encoder in GRAPHCITE_ENCODER; a new import needs only its own. What is
    stopped goes on where it was.

    \b
    Examples:
      graphcite kg vectors
      GRAPHCITE_ENCODER=/models/bge-small-zh GRAPHCITE_ENCODER_LANGUAGES=zh graphcite kg vectors
    """
    from kg.local.generations import list_sources
    from kg.local.vector_building import build_vectors
    from kg.ranking.hub import RankingModelError

    settings = load_settings()
    folder = settings.graphs / name
    list_sources(folder)  # before an encoder is loaded for no graph
    progress = terminal.Progress()
    try:
        report = build_vectors(folder, _encoder(settings), progress)
    except RankingModelError as error:
        raise error.alone from error
    finally:
        progress.end()
    click.echo(
        f"{report.names:,} names by {report.encoder}, {report.embedded:,} of them new, "
        f"in {report.seconds:.1f} s.",
        err=True,
    )
    if as_json:
        terminal.print_json(asdict(report))


def _encoder(settings: Settings) -> Encoder:
    """The encoder of the settings, loaded."""
    from kg.ranking.encoders import load_encoder

    if settings.encoder == "none":
        raise BadInput(
            "There is no encoder to embed names with: set GRAPHCITE_ENCODER to a "
            "sentence-transformers name or folder.",
            chinese="没有可用的编码器：请在 GRAPHCITE_ENCODER 中设置 sentence-transformers "
            "的名称或文件夹。",
        )
    languages = frozenset(settings.encoder_languages)
    return load_encoder(
        settings.encoder,
        languages,
        offline=settings.offline,
        key=settings.encoder_key,
        seconds=_SECONDS_PER_BATCH,
    )

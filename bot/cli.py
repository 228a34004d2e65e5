"""The `graphcite` command. Options and exit codes are those of DESIGN.md §7.

Exit codes: 0 done (an abstention too), 1 a problem told in one line, 2 wrong usage.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
import uuid
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from bot import terminal
from bot.graph_commands import import_and_report, kg
from bot.settings import Settings, load_settings
from kg.errors import BadInput, KgError, NotFound, Unavailable
from kg.strategies.names import EXPLAINED, STRATEGIES
from kg.strategies.parameters import SETTING_HELP, Parameters

if TYPE_CHECKING:
    from bot.conversation import Turn
    from bot.record import AnswerRecord
    from bot.runtime import Runtime

__all__ = ["main"]

USER = "local"


class _Commands(click.Group):
    """Turns the program's own errors into one line and exit code 1."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KgError as error:
            raise click.ClickException(error.user_message) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise click.ClickException(_log_unexpected(error)) from error
            raise click.ClickException("No space is left to write to.") from error
        except Exception as error:
            raise click.ClickException(_log_unexpected(error)) from error


def _log_unexpected(error: Exception) -> str:
    """Write the trace to a file that the one-line message names."""
    try:
        path = load_settings().home / "graphcite.log"
    except KgError as problem:
        return problem.user_message
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError:
        return f"Something went wrong ({type(error).__name__}); {path} cannot be written."
    logger = logging.getLogger("graphcite")
    logger.addHandler(handler)
    logger.error("graphcite %s", " ".join(sys.argv[1:2]), exc_info=error)
    handler.close()
    logger.removeHandler(handler)
    return f"Something went wrong ({type(error).__name__}); the details are in {path}."


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="graphcite", prog_name="graphcite")
def main() -> None:
    """Chat with a knowledge graph, and see the triples behind every sentence."""


main.add_command(kg)


# Asking


@main.command()
@click.option("--host", help="Address to listen on (loopback only).")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.")
def serve(host: str | None, port: int | None) -> None:
    """Open the chat page. Imports the starter graph when there is no graph yet."""
    settings = load_settings()
    settings = replace(settings, host=host or settings.host, port=port or settings.port)
    from bot import server

    _ensure_graph(settings)
    server.serve(settings)


def _ensure_graph(settings: Settings) -> None:
    from kg.local.generations import list_sources

    try:
        list_sources(settings.graphs / "medical")
    except NotFound:
        click.echo("No graph yet: importing the starter graph.", err=True)
        import_and_report(settings, "starter", (), None)


def _settings_pairs(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> Mapping[str, str]:
    pairs: dict[str, str] = {}
    for value in values:
        name, separator, text = value.partition("=")
        if not separator or not name:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE.")
        pairs[name.strip()] = text.strip()
    try:
        Parameters.read(pairs)
    except BadInput as error:
        raise click.BadParameter(error.user_message) from None
    return pairs


def _rows(title: str, rows: Mapping[str, str]) -> str:
    """A list for the end of a help page, as click keeps it."""
    width = max(map(len, rows)) + 2
    return "\n".join(["\b", title, *(f"  {name:<{width}}{text}" for name, text in rows.items())])


_STRATEGY_ROWS = {name: explained["en"] for name, explained in EXPLAINED.items()}


@main.command(
    epilog=f"{_rows('Strategies:', _STRATEGY_ROWS)}\n\n{_rows('Settings:', SETTING_HELP)}"
)
@click.argument("question")
@click.option("--mode", type=click.Choice(["medical", "open"]), help="Which graph to ask.")
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    help="How evidence is found; see below. Default: GRAPHCITE_STRATEGY, or auto.",
)
@click.option("--language", type=click.Choice(["en", "zh"]), help="Default: the question's own.")
@click.option("--sources", help="Only these sources of the graph, separated by commas.")
@click.option("--model", help="Chat model's name, in place of GRAPHCITE_MODEL.")
@click.option(
    "--set",
    "parameters",
    multiple=True,
    callback=_settings_pairs,
    metavar="NAME=VALUE",
    help="A setting of the strategy; see below.",
)
@click.option("--conversation", help="Go on with this conversation.")
@click.option("--no-save", is_flag=True, help="Keep nothing.")
@terminal.json_option
def ask(  # one parameter per option, as click passes them
    question: str,
    mode: str | None,
    strategy: str | None,
    language: str | None,
    sources: str | None,
    model: str | None,
    parameters: Mapping[str, str],
    conversation: str | None,
    no_save: bool,
    as_json: bool,
) -> None:
    """Answer QUESTION, with its numbered evidence."""
    if conversation and no_save:
        raise click.UsageError("--conversation and --no-save exclude each other.")
    settings = load_settings()
    if model:
        settings = replace(settings, model=model)
    from bot.conversation import Turn
    from bot.documents import to_document

    turn = Turn(
        question,
        conversation=conversation,
        mode=mode or settings.mode,
        language=language,
        strategy=strategy,
        user=USER,
        message_id=str(uuid.uuid4()),
        answer_id=str(uuid.uuid4()),
        sources=tuple(name.strip() for name in (sources or "").split(",") if name.strip()),
        parameters=parameters,
    )
    record = asyncio.run(_ask(settings, turn, keep=not no_save))
    if as_json:
        terminal.print_json(to_document(record))
        for problem in (*record.retrieval.problems, *record.problems):
            terminal.warn(problem)
    else:
        terminal.print_record(record)


def _new_conversation(runtime: Runtime, turn: Turn) -> str | None:
    """Its id; None, with a warning, when the history cannot be written now."""
    try:
        return runtime.history.create_conversation(turn.user, turn.question, turn.mode)
    except Unavailable as error:
        terminal.warn(f"This answer is not kept: {error.user_message}")
        return None


async def _ask(settings: Settings, turn: Turn, *, keep: bool) -> AnswerRecord:
    from bot.conversation import take_turn
    from bot.runtime import Runtime

    runtime = Runtime(settings)
    try:
        if turn.conversation:
            if runtime.history.conversation(turn.conversation, turn.user) is None:
                raise NotFound(
                    f"There is no conversation {turn.conversation}: "
                    "graphcite conversations list shows those there are."
                )
        elif keep and turn.question.strip():
            turn = replace(turn, conversation=_new_conversation(runtime, turn))
        return await take_turn(runtime, turn)
    finally:
        await runtime.aclose()


# Conversations


@main.group()
def conversations() -> None:
    """List and show stored conversations."""


@conversations.command("list")
@terminal.json_option
def conversations_list(as_json: bool) -> None:
    """All conversations, the latest activity first."""
    from bot.history.conversations import History

    history = History(load_settings().database)
    try:
        rows = [asdict(summary) for summary in history.list(USER, first=10_000).conversations]
    finally:
        history.close()
    if as_json:
        terminal.print_json(rows)
    else:
        shown = [{key: row[key] for key in ("id", "updated", "mode", "name")} for row in rows]
        terminal.print_table(shown, "No conversation yet: graphcite ask QUESTION starts one.")


@conversations.command("show")
@click.argument("conversation")
@terminal.json_option
def conversations_show(conversation: str, as_json: bool) -> None:
    """One conversation with its questions, answers and evidence."""
    from bot.documents import to_document
    from bot.history.conversations import History

    history = History(load_settings().database)
    try:
        stored = history.conversation(conversation, USER)
    finally:
        history.close()
    if stored is None:
        raise NotFound(
            f"There is no conversation {conversation}: "
            "graphcite conversations list shows those there are."
        )
    if as_json:
        answers = [
            {"question": turn.question, "answers": [to_document(a.record) for a in turn.answers]}
            for turn in stored.turns
        ]
        terminal.print_json({"id": stored.id, "name": stored.name, "turns": answers})
        return
    for turn in stored.turns:
        click.secho(f"\n> {turn.question}\n", bold=True)
        for answer in turn.answers:
            terminal.print_record(answer.record)


@main.command()
@terminal.json_option
def doctor(as_json: bool) -> None:
    """Say what is set up, what is missing, and which hosts the settings may contact."""
    from bot.doctor import examine
    from bot.runtime import Runtime

    runtime = Runtime(load_settings())
    try:
        findings = list(examine(runtime))
    finally:
        runtime.close()
    if as_json:
        terminal.print_json([asdict(finding) for finding in findings])
    else:
        terminal.print_table([asdict(finding) for finding in findings], "")
    if any(finding.state == "problem" for finding in findings):
        raise click.exceptions.Exit(1)


if __name__ == "__main__":
    main()

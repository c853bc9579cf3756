"""The program `weighbridge`: finds the command, turns every foreseen error into one line, and settles the exit code.

0: nothing to say. 1: findings or refusals. 2: the command line, its input or its output can't be used. A pipe whose reader has gone away
ends it quietly with 141, as the signal would (128 + SIGPIPE).
"""

from __future__ import annotations

import importlib
import io
import logging
import signal
import sys
from collections.abc import Sequence
from typing import Final

import click

from weighbridge import __version__
from weighbridge.certs.atomicfile import WriteError
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.cache.runs import begun
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import OutputError, abandon, complain, open_streams

#: Each command with its one-line help, so that `--help` imports none of them.
_COMMANDS: Final = {
    "lint": "Judge manifests and report findings with file, line and column.",
    "dry-run": "Show the object as it would be stored, and the verdict.",
    "impact": "Show which objects of a cluster a change breaks, or leads to be resolved differently.",
    "migrate": "Rewrite manifests of removed kinds and moved fields.",
    "snapshot": "Write a snapshot of a live cluster to one file, for dry-run and lint.",
    "serve": "Answer admission reviews over TLS.",
    "certs": "Make and inspect certificates; print the webhook configurations.",
    "audit": "Show what mode deny would refuse of what a cluster holds.",
    "doctor": "Look at a live installation, and say what is wrong and what to run.",
    "manifests": "Print the manifests that install it in a cluster.",
    "config": "Check a configuration, and show each setting with its origin.",
    "rules": "List the rules, or show one with its reason and examples.",
    "schema": "Print the JSON Schemas of the configuration, the snapshot and the verdict, or the server's OpenAPI document.",
}


#: What only the commands of the `server` extra import.
_EXTRA: Final = frozenset({"aiohttp", "cryptography", "fastapi", "kubernetes", "prometheus_client", "starlette", "uvicorn", "uvloop"})


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"weighbridge.webhook.cli.{cmd_name.replace('-', '_')}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"weighbridge {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show on standard error what goes wrong inside, with tracebacks.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
def cli(debug: bool) -> None:
    """Admission control for LLM-serving resources on Kubernetes."""
    # What fails inside becomes a finding; its traceback is shown on request.
    logging.getLogger("weighbridge").addHandler(logging.StreamHandler() if debug else _Unshown(logging.WARNING))


class _Unshown(logging.NullHandler):
    """Shows nothing of what fails inside. It may not fail next time, for example with more memory."""

    def handle(self, record: logging.LogRecord) -> bool:
        not_repeatable()
        return True


def run() -> None:
    """Run the command line and exit."""
    kept = begun(sys.argv[1:])
    open_streams(kept.wrote if kept else None)
    try:
        code = exit_code(sys.argv[1:])
        sys.stdout.flush()
    except OutputError as error:
        sys.exit(without_output(error))
    if kept:
        kept.keep(code)
    sys.exit(code)


def exit_code(arguments: Sequence[str]) -> int:
    """Run a command with the standard streams as they are; every foreseen error goes to standard error."""
    try:
        return cli.main(list(arguments), prog_name="weighbridge", standalone_mode=False) or 0
    except click.ClickException as error:
        text = io.StringIO()
        error.show(text)
        complain(text.getvalue().removesuffix("\n"))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        complain(f"Error: this command needs {error.name}, of the server's extra: pip install 'weighbridge[server]'")
    except (InputError, WriteError) as error:
        complain(f"Error: {error}")
    return 2


def without_output(error: OutputError) -> int:
    """Say that standard output can't be written to; the exit code."""
    abandon(sys.stdout, 1)
    if error.reader_left:
        return 128 + signal.SIGPIPE
    complain(f"Error: standard output can't be written to: {error}")
    return 2

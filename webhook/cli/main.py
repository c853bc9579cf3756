"""The entry point of `weighbridge`: finds the command, turns every foreseen error into one line, and settles the exit code.

0: nothing to say. 1: findings or refusals. 2: the command line or its input can't be used. A pipe that is closed early ends quietly.
"""

from __future__ import annotations

import importlib
import logging
import os
import sys
from typing import Final

import click

from webhook.errors import InputError

#: Each command with its one-line help, so that `--help` imports none of them.
_COMMANDS: Final = {
    "lint": "Judge manifests and report findings with file, line and column.",
    "dry-run": "Show what would be stored, what would be filled in, and the verdict.",
    "serve": "Answer admission reviews over TLS.",
    "certs": "Make and inspect certificates; print the webhook configurations.",
    "rules": "List the rules, or show one with its reason and examples.",
    "schema": "Print the JSON Schemas of the configuration and of the verdict.",
}


#: What only the commands of the `server` extra import.
_EXTRA: Final = frozenset({"cryptography", "fastapi", "prometheus_client", "starlette", "uvicorn", "uvloop"})


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"webhook.cli.{cmd_name.replace('-', '_')}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"weighbridge {version('weighbridge')}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show on standard error what goes wrong inside, with tracebacks.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
def cli(debug: bool) -> None:
    """Admission control for LLM-serving resources on Kubernetes."""
    # What fails inside becomes a finding; its traceback is for whoever asks for it.
    logging.getLogger("weighbridge").addHandler(logging.StreamHandler() if debug else logging.NullHandler())


def main() -> None:
    """Run the command line and exit."""
    try:
        code = cli.main(prog_name="weighbridge", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = 2
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        click.echo(f"Error: this command needs {error.name}, of the server's extra: pip install 'weighbridge[server]'", err=True)
        code = 2
    except InputError as error:
        click.echo(f"Error: {error}", err=True)
        code = 2
    except BrokenPipeError:
        # Whoever read our output has enough of it; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code or 0)


if __name__ == "__main__":
    main()

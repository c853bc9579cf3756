"""The commands with their options, as click has them. Each is imported when it is needed."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Final

import click

from weighbridge import __version__
from weighbridge.policies.ground.spelling import closest
from weighbridge.webhook.cli.defects import log_defects

#: Each command with its one-line help, so that `--help` imports none of them.
_COMMANDS: Final = {
    "init": "Write settings, a baseline, a hook and a CI job for a repository.",
    "lint": "Judge manifests and report findings with file, line and column.",
    "dry-run": "Show the object as it would be stored, and the verdict.",
    "fit": "Show the nodes with the pods that fit on them, and the pods that find no place.",
    "impact": "List the objects of a cluster that a change breaks, or for which the operators create something else.",
    "uses": "List the objects that use an object of a cluster, and what happens to them without it.",
    "migrate": "Rewrite manifests with removed kinds and moved fields.",
    "snapshot": "Write a snapshot of a live cluster to one file, for dry-run and lint.",
    "serve": "Answer admission reviews over TLS.",
    "certs": "Make and inspect certificates; print the webhook configurations.",
    "audit": "List the stored objects that mode deny would refuse.",
    "doctor": "Find what is wrong with a live installation, and show the command that solves it.",
    "manifests": "Print the manifests that install Weighbridge in a cluster.",
    "config": "Check a configuration, and show each setting with its origin.",
    "test": "Run the tests of your policies: judge cases, and compare each verdict with the expected one.",
    "export": "Write policies, rules and fill-ins as admission policies.",
    "rules": "List the rules, or show one with its reason and examples.",
    "schema": "Print the JSON Schemas of configuration, settings, snapshot and verdict, or the server's OpenAPI document.",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        return _declared(importlib.import_module(f"weighbridge.webhook.cli.{cmd_name.replace('-', '_')}"))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        near = closest(args[0], _COMMANDS) if args[0] not in _COMMANDS and not args[0].startswith("-") else ""
        if near:
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{near}'?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            # kubectl takes its files after -f.
            takes_paths = error.ctx is not None and any(each.nargs < 0 for each in error.ctx.command.params)
            if error.option_name in {"-f", "--filename"} and takes_paths:
                raise click.UsageError(f"{error.message} Write the paths without an option.", error.ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _declared(module: ModuleType) -> click.Command:
    """The command of a module. Some are read without click, and declared only for it."""
    found: click.Command = module.declared() if hasattr(module, "declared") else module.command
    return found


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"weighbridge {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show on standard error what goes wrong inside, with tracebacks.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
def cli(debug: bool) -> None:
    """Admission control for LLM-serving resources on Kubernetes."""
    log_defects(shown=debug)

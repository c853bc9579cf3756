"""`weighbridge doctor`: what is wrong with a live installation, and what to run."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import click

from weighbridge.webhook.cli.options import context_option, kubeconfig_option

if TYPE_CHECKING:
    from weighbridge.webhook.doctor.check import Check

_INDENT = " " * 9


@click.command("doctor")
@kubeconfig_option
@context_option
@click.option("--name", default="weighbridge", show_default=True, help="The name of the webhook configurations.")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How the problems are written."
)
def command(kubeconfig: str | None, context: str | None, name: str, output: str) -> int:
    """Find what is wrong with a live installation: webhook configurations, certificates, pods, rights, and calls from the API server.

    Each problem is shown with the command that solves it. Nothing is stored: one object is sent as a dry run. Exit code 0: no problem, 1: a
    problem, 2: the cluster can't be reached.
    """
    from weighbridge.webhook.doctor.check import Health
    from weighbridge.webhook.doctor.examination import examine

    checks = asyncio.run(examine(kubeconfig, context, name))
    click.echo(json.dumps([check.as_json() for check in checks], indent=2) if output == "json" else "\n".join(map(_line, checks)))
    return int(any(check.health is Health.PROBLEM for check in checks))


def _line(check: Check) -> str:
    from weighbridge.webhook.texts.escapes import shown

    remedy = f"\n{_INDENT}run: {shown(check.run)}" if check.run else ""
    return f"{check.health:8} {shown(check.name)}: {shown(check.found)}{remedy}"

"""`weighbridge snapshot`: what a live cluster has, in one file that `--cluster` takes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weighbridge.certs.atomicfile import write
from weighbridge.policies.facts.document import kind_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cli.options import context_option, kubeconfig_option
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import complain

if TYPE_CHECKING:
    from weighbridge.webhook.cluster.snapshot import Earlier


@click.command("snapshot")
@kubeconfig_option
@context_option
@click.option(
    "--redact", is_flag=True, help="Replace names of nodes, namespaces and objects by numbers, and blank whatever can be a secret."
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json"]),
    default="yaml",
    show_default=True,
    help="JSON is read in a tenth of the time, which counts where the cluster has large CRDs.",
)
@click.option(
    "--file", "path", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file; a failure leaves the old file as it was."
)
def command(kubeconfig: str | None, context: str | None, redact: bool, output: str, path: Path | None) -> int:
    """Write a snapshot of a cluster: all that placement and the rules need to know of it.

    It sends only GET and never reads Secrets. Kinds that it may not read are named in the snapshot, and rules about them answer
    "not checked". If --file holds an earlier snapshot of the same cluster, the new one remembers the nodes that are gone, such as
    those of a pool that is scaled to zero.
    """
    from weighbridge.webhook.cluster.snapshot import take_snapshot

    earlier = None if path is None or redact else _earlier(path)
    document, header = asyncio.run(take_snapshot(kubeconfig, context, redact=redact, earlier=earlier))
    for kind, reason in header.not_known.items():
        complain(f"Warning: {kind_text(kind)} is not known: {reason}")
    text = _text(document, output)
    if path is None:
        click.echo(text, nl=False)
    else:
        write(path, text.encode())
    return 0


def _earlier(path: Path) -> Earlier | None:
    """The snapshot in a file; `None` where the file holds something else."""
    from weighbridge.webhook.inputs.cluster_files import read_snapshot

    # A pipe or a device holds no snapshot, and reading it may never end.
    if not os.path.isfile(path) or not os.path.getsize(path):
        return None
    try:
        return read_snapshot(str(path))
    except InputError as error:
        complain(f"Warning: {path} is no snapshot, so no node of before is remembered: {str(error).splitlines()[0]}")
        return None


def _text(document: JSONObject, output: str) -> str:
    if output == "json":
        return readable(document, indent=True) + "\n"
    from weighbridge.webhook.texts.yaml_text import yaml_text

    return yaml_text(document)

"""`weighbridge snapshot`: what a live cluster has, in one file that `--cluster` takes."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from weighbridge.certs.atomicfile import write
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.spelling import amount
from weighbridge.webhook.cli.cluster_state import tell_not_known
from weighbridge.webhook.cli.options import context_option, kubeconfig_option, verbose_option
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.json_text import document_text
from weighbridge.webhook.texts.streams import complain

if TYPE_CHECKING:
    from weighbridge.policies.facts.document import SnapshotHeader
    from weighbridge.webhook.cluster.snapshot import Earlier

#: The most kinds that the last line names.
_MOST_KINDS: Final = 4


@click.command("snapshot")
@kubeconfig_option
@context_option
@click.option(
    "--redact",
    is_flag=True,
    help="Replace names of nodes, namespaces, objects and private hosts by numbers, and blank whatever can be a secret.",
)
@click.option(
    "--pods",
    is_flag=True,
    help="Add what pods use of each node, so that verdicts say which pods find room today: sums by priority, and the names of the few pods"
    " with the most devices, which --redact leaves out.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json"]),
    default="yaml",
    show_default=True,
    help="JSON is read ten times faster, which matters if the cluster has large CRDs.",
)
@click.option(
    "--file", "path", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file; a failure leaves the old file as it was."
)
@verbose_option
def command(kubeconfig: str | None, context: str | None, redact: bool, pods: bool, output: str, path: Path | None, verbose: bool) -> int:
    """Write a snapshot of a cluster: all that placement and the rules need to know of it.

    It sends only GET and never reads Secrets. The snapshot names the kinds that it may not read, and rules about them answer
    "not checked". If --file holds an earlier snapshot of the same cluster, the new one remembers the nodes that are gone, such as
    those of a pool that is scaled to zero. The last line on standard error says what was read.
    """
    from weighbridge.webhook.cluster.snapshot import take_snapshot

    earlier = None if path is None or redact else _earlier(path)
    document, header = asyncio.run(take_snapshot(kubeconfig, context, redact=redact, earlier=earlier, pods=pods))
    tell_not_known(header.not_known, verbose=verbose)
    text = document_text(document, output)
    if path is None:
        click.echo(text, nl=False)
    else:
        write(path, text.encode())
    complain(_summary(document, header, path))
    return 0


def _summary(document: JSONObject, header: SnapshotHeader, path: Path | None) -> str:
    """What was read: ``read 18 objects of 82 kinds (11 Node, 4 Namespace, 3 Model); not read: nothing``."""
    counts = Counter(str(item.get("kind")) for item in document["items"])
    named = counts.most_common(_MOST_KINDS)
    total, rest = sum(counts.values()), sum(counts.values()) - sum(count for _, count in named)
    read = ", ".join([*(f"{count} {kind}" for kind, count in named), *([amount(rest, "other")] if rest else [])])
    missing = amount(len(header.not_known), "kind") if header.not_known else "nothing"
    where = f"{path}: " if path is not None else ""
    pods = f", and what {amount(header.occupancy.pods, 'pod')} take of the nodes" if header.occupancy is not None else ""
    objects = f"{amount(total, 'object')} of {len(header.complete)} kinds{f' ({read})' if read else ''}"
    return f"{where}read {objects}{pods}; not read: {missing}"


def _earlier(path: Path) -> Earlier | None:
    """The snapshot in a file; `None` if the file has other content."""
    from weighbridge.webhook.inputs.cluster_files import read_snapshot

    # A pipe or a device has no snapshot, and reading it may never end.
    if not os.path.isfile(path) or not os.path.getsize(path):
        return None
    try:
        return read_snapshot(str(path))
    except InputError as error:
        complain(f"Warning: {path} isn't a snapshot, so no node of before is remembered: {str(error).splitlines()[0]}")
        return None

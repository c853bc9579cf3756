"""What a cluster holds, for the commands that take it from a snapshot or read it live."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from weighbridge.policies.facts.document import Extent, kind_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.texts.streams import complain


@dataclass(frozen=True, slots=True)
class ClusterState:
    """The objects, how much of the cluster they are, and where they were read, for errors."""

    objects: list[JSONObject]
    extent: Extent
    source: Sequence[str]


def cluster_state(cluster: Sequence[str], kubeconfig: str | None, context: str | None) -> ClusterState:
    """The snapshots' state; without a snapshot the live cluster's, read with GET alone. Raises InputError."""
    if not cluster:
        return _live(kubeconfig, context)
    if kubeconfig or context:
        raise click.UsageError("--kubeconfig and --context go without --cluster")
    return ClusterState(*read_cluster(cluster), cluster)


def _live(kubeconfig: str | None, context: str | None) -> ClusterState:
    from weighbridge.webhook.cluster.snapshot import take_snapshot

    document, header = asyncio.run(take_snapshot(kubeconfig, context))
    for kind, reason in header.not_known.items():
        complain(f"Warning: {kind_text(kind)} is not known: {reason}")
    return ClusterState(document["items"], header.extent, ("the cluster",))

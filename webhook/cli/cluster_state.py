"""The state of a cluster, for the commands that read it from a snapshot or live."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

import click

from weighbridge.policies.facts.document import Extent, GroupKind, kind_text
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.texts.streams import complain

_FORBIDDEN: Final = "403"
_USER: Final = expression(r'User "([^"]{1,253})"')


@dataclass(frozen=True, slots=True)
class ClusterState:
    """The objects, the extent of what is known, and their origin, for error messages."""

    objects: list[JSONObject]
    extent: Extent
    source: Sequence[str]


def cluster_state(cluster: Sequence[str], kubeconfig: str | None, context: str | None, *, policies: bool = True) -> ClusterState:
    """The snapshots' state; without a snapshot the live cluster's, read with GET alone. Raises InputError.

    Without `policies` the cluster's admission policies aren't read.
    """
    if not cluster:
        return _live(kubeconfig, context, policies=policies)
    if kubeconfig or context:
        raise click.UsageError("--cluster excludes --kubeconfig and --context")
    return ClusterState(*read_cluster(cluster), cluster)


def _live(kubeconfig: str | None, context: str | None, *, policies: bool) -> ClusterState:
    from weighbridge.webhook.cluster.snapshot import take_snapshot

    document, header = asyncio.run(take_snapshot(kubeconfig, context, policies=policies))
    tell_not_known(header.not_known)
    return ClusterState(document["items"], header.extent, ("the cluster",))


def tell_not_known(not_known: Mapping[GroupKind, str], *, verbose: bool = False) -> None:
    """Warn of kinds that couldn't be read: all without permission in one line, unless the API server's own messages are wanted."""
    forbidden = {kind: reason for kind, reason in not_known.items() if reason.startswith(_FORBIDDEN)}
    in_one = forbidden if len(forbidden) > 1 and not verbose else {}
    if in_one:
        user = _USER.search(next(iter(in_one.values())))
        whom = f"{user[1]} may not" if user else "you may not"
        kinds = ", ".join(map(kind_text, in_one))
        told = f"{whom} list {len(in_one)} kinds, so these are not known: {kinds}"
        complain(f"Warning: {told}; for a role that may, run: weighbridge rules -o rbac")
    for kind, reason in not_known.items():
        if kind not in in_one:
            complain(f"Warning: {kind_text(kind)} is not known: {reason}")

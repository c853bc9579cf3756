"""Takes a snapshot of a live cluster: with the same kinds that the webhook follows, trimmed in the same way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.autoscaling.former import remember
from weighbridge.policies.facts.document import GroupKind, SnapshotHeader
from weighbridge.policies.facts.kinds import NODES, PODS, POLICY_KINDS, ReadKind
from weighbridge.policies.facts.node_shapes import Own
from weighbridge.policies.facts.occupancy import Occupancy, RunningPod
from weighbridge.policies.facts.redaction import Redaction
from weighbridge.policies.ground.fields import items as items_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.pods.running_pod import running_pod
from weighbridge.webhook.cluster.discovery import UnknownVersionError, served
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.labelled_config_maps import sections_of
from weighbridge.webhook.cluster.live_facts import watched_kinds
from weighbridge.webhook.cluster.policy_parameters import parameter_kinds
from weighbridge.webhook.cluster.transform import Transform, needed
from weighbridge.webhook.inputs.facts import definitions_among
from weighbridge.webhook.texts.errors import InputError

#: The number of lists that are read at the same time.
_AT_A_TIME: Final = 4


#: An earlier snapshot: its header and its objects.
Earlier: TypeAlias = tuple[SnapshotHeader, list[JSONObject]]


async def take_snapshot(
    kubeconfig: str | None,
    context: str | None,
    *,
    redact: bool = False,
    earlier: Earlier | None = None,
    pods: bool = False,
    policies: bool = True,
) -> tuple[JSONObject, SnapshotHeader]:
    """The snapshot's document and its header. Removed nodes of an earlier snapshot of the same cluster are remembered.

    With `pods` it says what these take of the nodes. Without `policies` it has none of the cluster's admission policies.

    Raises InputError if the cluster can't be reached.
    """
    # A redacted policy would be useless: its expressions can contain secrets.
    policies = policies and not redact
    api = await KubernetesAPI.connect(kubeconfig, context)
    try:
        return await _take(api, earlier, redact=redact, pods=pods, policies=policies)
    finally:
        await api.close()


async def _take(
    api: KubernetesAPI, earlier: Earlier | None, *, redact: bool, pods: bool, policies: bool
) -> tuple[JSONObject, SnapshotHeader]:
    try:
        version = (await api.get("/version")).get("gitVersion", "")
    except APIError as error:
        if not error.status:
            raise InputError(f"the cluster can't be reached: {error}") from None
        version = ""
    gate = asyncio.Semaphore(_AT_A_TIME)
    kinds = sorted([*watched_kinds(), *(POLICY_KINDS if policies else ())], key=lambda kind: kind.known_as)
    items: list[JSONObject] = []
    not_known: dict[GroupKind, str] = {}
    complete: list[GroupKind] = []

    async def read(wanted: Sequence[ReadKind]) -> None:
        results = await asyncio.gather(*(_list(api, kind, gate) for kind in wanted))
        for kind, result in zip(wanted, results, strict=True):
            if isinstance(result, Exception):
                not_known[kind.known_as] = str(result)
            else:
                complete.append(kind.known_as)
                items.extend(sorted(result, key=lambda obj: (namespace_of(obj), name_of(obj))))

    await read(kinds)
    if policies:
        known = {kind.known_as for kind in kinds}
        await read([kind for kind in parameter_kinds(items) if kind.known_as not in known])
    occupancy, untold = await _occupancy(api) if pods else (None, "")
    if untold:
        not_known[PODS.known_as] = untold
    redacted = None
    if redact:
        redaction = Redaction(items, needed(), definitions_among(items))
        items = [redaction.redact(item) for item in items]
        redacted = tuple(redaction.blanks)
        occupancy = _without_names(occupancy, redaction) if occupancy is not None else None
        not_known = {kind: reason.partition(":")[0] for kind, reason in not_known.items()}
    else:
        # Redacted ones would name namespaces whose names have changed.
        sections = await sections_of(api)
        items += sections
        not_known |= {("", "ConfigMap"): "of these only the ones that narrow the configuration are read"} if sections else {}
    taken_at = datetime.now(UTC).isoformat(timespec="seconds")
    cluster = "" if redact else await _identity(api)
    former = _former(earlier, cluster, items)
    header = SnapshotHeader(str(version), taken_at, tuple(complete), not_known, redacted, former, cluster, occupancy)
    return header.document(items), header


async def _identity(api: KubernetesAPI) -> str:
    """What identifies the cluster; empty if that may not be read."""
    try:
        found = await api.get("/api/v1/namespaces", fieldSelector="metadata.name=kube-system")
    except APIError:
        return ""
    return next((text(metadata_of(namespace), "uid") for namespace in items_of(found, "items")), "")


def _former(earlier: Earlier | None, cluster: str, items: Iterable[JSONObject]) -> tuple[JSONObject, ...]:
    """One removed node of each kind among the earlier ones, as far as they are remembered; none of another cluster."""
    if earlier is None or not cluster or earlier[0].cluster != cluster:
        return ()
    header, objects = earlier
    present = {name_of(item) for item in items if item.get("kind") == NODES.gvk.kind}
    before = [*header.former_nodes, *(obj for obj in objects if obj.get("kind") == NODES.gvk.kind)]
    gone = {name_of(node): node for node in before if name_of(node) not in present}
    nodes = list(map(Node.from_object, gone.values()))
    return tuple(gone[node.name] for node in remember((), nodes, Own.of(nodes)))


async def _occupancy(api: KubernetesAPI) -> tuple[Occupancy | None, str]:
    """What pods take of the nodes, or why that can't be read."""
    found: list[RunningPod] = []
    try:
        async for page in api.pages(PODS.path, **PODS.query):
            found += (pod for pod in map(running_pod, page.get("items") or ()) if pod is not None)
    except APIError as error:
        return None, str(error)
    return Occupancy.of(found), ""


def _without_names(occupancy: Occupancy, redaction: Redaction) -> Occupancy:
    from weighbridge.policies.facts.occupancy_document import redacted

    return redacted(occupancy, redaction.node)


async def _list(api: KubernetesAPI, kind: ReadKind, gate: asyncio.Semaphore) -> list[JSONObject] | APIError | UnknownVersionError:
    """All objects of a kind (none if it isn't installed), or why it can't be read."""
    transform = Transform()
    found: list[JSONObject] = []
    try:
        async with gate:
            known = await served(api, kind)
            if known is None:
                return []
            async for page in api.pages(known.path, **known.query):
                listed = ({"apiVersion": known.gvk.api_version, "kind": known.gvk.kind} | item for item in page.get("items") or ())
                found += (part for part in map(transform, listed) if part is not None)
    except APIError as error:
        return [] if error.status == 404 else error
    except UnknownVersionError as error:
        return error
    return found

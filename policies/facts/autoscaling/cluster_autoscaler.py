"""cluster-autoscaler: the node groups that it scales, by the status that it writes or, without one, by its Deployment's flags.

Only the cloud knows which labels, taints and resources a group's nodes would have, so a group without a node may add any node. Groups of
Cluster API machines say more in their own objects (`machine_groups`). Source: kubernetes/autoscaler, `cluster-autoscaler/FAQ.md` and
`cloudprovider/*/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.facts.autoscaling.machine_groups import MACHINE_GROUPS
from weighbridge.policies.facts.autoscaling.status import NodeGroup, read_status, status_text
from weighbridge.policies.facts.kinds import AUTOSCALER_STATUS, DEPLOYMENTS
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace

_STATUS_KEY: Final = "status"
_PROGRAM: Final = "cluster-autoscaler"
_NODES, _DISCOVERY = "--nodes", "--node-group-auto-discovery"
_SIZES: Final = expression(r"(\d{1,9}):(\d{1,9}):(.+)")
_OF_CLUSTER_API: Final = tuple(f"{kind}/" for _, kind in MACHINE_GROUPS)


@dataclass(frozen=True, slots=True)
class ClusterAutoscaler:
    """A known cluster-autoscaler: its groups, and whether these are all (`is_listed`) or it may find others by itself."""

    groups: tuple[NodeGroup, ...]
    is_listed: bool


def cluster_autoscaler(store: ObjectStore) -> ClusterAutoscaler | None:
    """The cluster's cluster-autoscaler; `None` if there is no sign of one."""
    told = [found for found in store.read(*AUTOSCALER_STATUS.known_as, _of_status) if found is not None]
    running = told or [found for found in store.read(*DEPLOYMENTS.known_as, _of_deployment) if found is not None]
    if not running:
        return None
    groups = (group for found in running for group in found.groups)
    described = any(True for kind in MACHINE_GROUPS for _ in store.list(*kind))
    others = tuple(group for group in groups if not (described and group.name.startswith(_OF_CLUSTER_API)))
    return ClusterAutoscaler(others, all(found.is_listed for found in running))


def is_known_absent(store: ObjectStore) -> bool:
    """Whether the cluster surely has no cluster-autoscaler."""
    return store.knows_all(*AUTOSCALER_STATUS.known_as) and store.knows_all(*DEPLOYMENTS.known_as) and cluster_autoscaler(store) is None


def is_status(obj: JSONObject) -> bool:
    """Whether an object is cluster-autoscaler's status."""
    gvk = AUTOSCALER_STATUS.gvk
    named = (namespace_of(obj), name_of(obj)) == (AUTOSCALER_STATUS.namespace, AUTOSCALER_STATUS.name)
    return named and (obj.get("apiVersion"), obj.get("kind")) == (gvk.api_version, gvk.kind)


def kept_status(config_map: JSONObject) -> JSONObject | None:
    """The part of the status that is kept: its groups. `None` for any other ConfigMap."""
    if not is_status(config_map):
        return None
    written = text(text_map(config_map, "data"), _STATUS_KEY)
    return _with_groups(config_map, read_status(written)) if written else None


def kept_deployment(deployment: JSONObject) -> JSONObject | None:
    """The part of cluster-autoscaler's Deployment that is kept: the flags about groups. `None` for any other."""
    containers = [_slim(container) for container in _containers(deployment)]
    if not containers:
        return None
    spec = part(deployment, "spec")
    kept = {"replicas": spec["replicas"]} if "replicas" in spec else {}
    return {**deployment, "spec": {**kept, "template": {"spec": {"containers": containers}}}, "status": {}}


def without_names(obj: JSONObject) -> JSONObject:
    """The status, or the Deployment, with numbers instead of the groups' names, which have names of accounts and clusters in them."""
    if is_status(obj):
        groups = read_status(text(text_map(obj, "data"), _STATUS_KEY))
        return _with_groups(
            obj, [replace(group, name=f"group-{at}", backoff=group.backoff and "Backoff") for at, group in enumerate(groups, 1)]
        )
    kept = kept_deployment(obj)
    if kept is None:
        return obj
    for container in _containers(kept):
        flags = [(flag, value) for flag, value in _flags(container) if flag in (_NODES, _DISCOVERY)]
        container["command"] = [_PROGRAM]
        container["args"] = [
            f"{flag}={':'.join([*value.split(':')[:2], f'group-{at}']) if flag == _NODES else 'hidden'}"
            for at, (flag, value) in enumerate(flags, 1)
        ]
    return kept


def _with_groups(config_map: JSONObject, groups: tuple[NodeGroup, ...] | list[NodeGroup]) -> JSONObject:
    metadata = {"name": name_of(config_map), "namespace": namespace_of(config_map)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {_STATUS_KEY: status_text(groups)}}


def _of_status(config_map: JSONObject) -> ClusterAutoscaler | None:
    written = text(text_map(config_map, "data"), _STATUS_KEY)
    return ClusterAutoscaler(read_status(written), is_listed=True) if is_status(config_map) and written else None


def _of_deployment(deployment: JSONObject) -> ClusterAutoscaler | None:
    if whole(part(deployment, "spec"), "replicas", 1) == 0:
        return None
    flags = [flag for container in _containers(deployment) for flag in _flags(container)]
    if not any(True for _ in _containers(deployment)):
        return None
    sizes = (_SIZES.fullmatch(value) for flag, value in flags if flag == _NODES)
    groups = tuple(NodeGroup(found.group(3), None, int(found.group(2))) for found in sizes if found is not None)
    # Without either flag it asks the cloud which groups there are.
    return ClusterAutoscaler(groups, is_listed=bool(groups) and not any(flag == _DISCOVERY for flag, _ in flags))


def _containers(deployment: JSONObject) -> Iterator[JSONObject]:
    """The containers that run the program, by their image or their command."""
    for container in items(deployment, "spec", "template", "spec", "containers"):
        image = text(container, "image").partition("@")[0].rpartition("/")[2].partition(":")[0]
        if image.startswith(_PROGRAM) or any(word.rpartition("/")[2] == _PROGRAM for word in texts(container, "command")[:1]):
            yield container


def _slim(container: JSONObject) -> JSONObject:
    flags = [f"{flag}={value}" for flag, value in _flags(container) if flag in (_NODES, _DISCOVERY)]
    return {"name": text(container, "name"), "image": text(container, "image"), "command": [_PROGRAM], "args": flags}


def _flags(container: JSONObject) -> Iterator[tuple[str, str]]:
    """The flags with their values, which follow a `=` or are the next word."""
    words = [*texts(container, "command"), *texts(container, "args")]
    for at, word in enumerate(words):
        flag, equals, value = word.partition("=")
        flag = f"--{flag.lstrip('-')}" if flag.startswith("-") else ""
        if flag in (_NODES, _DISCOVERY):
            yield flag, value if equals else next(iter(words[at + 1 :]), "")

"""Volumes on the node's own disk that may grow beyond it: caches of models in an `emptyDir`.

The scheduler counts requests for ephemeral storage but no `sizeLimit`. The kubelet evicts a pod when the disk gets full, and the next pod
downloads again. Source: Kubernetes v1.37, pkg/kubelet/eviction (`localVolumeEviction`, `emptyDirLimitEviction`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.facts import Node
from weighbridge.policies.ground.cautions import SMALL_DISK, Caution
from weighbridge.policies.ground.fields import amount, items, text
from weighbridge.policies.ground.objects import JSONObject

_STORAGE: Final = "ephemeral-storage"
_GIB: Final = 2**30


def has_large_volumes(spec: JSONObject) -> bool:
    """Whether a pod has a volume with a size limit on the node's disk. This is cheaper than making the caution."""
    return any(True for _ in _sized(spec))


def volumes_beyond_disk(spec: JSONObject, nodes: Sequence[Node]) -> Iterator[Caution]:
    """The cautions about volumes that are larger than the disk of each node; none if a node doesn't state its disk."""
    known = [node for node in nodes if _STORAGE in node.amounts]
    most = max(known, key=lambda node: node.amounts[_STORAGE], default=None)
    if most is None or len(known) < len(nodes):
        return
    has = most.amounts[_STORAGE]
    for name, size in _sized(spec):
        if size > has:
            yield Caution(
                SMALL_DISK,
                f"volume {name} may grow to {size / _GIB:.1f} GiB on the node's disk, and no node that fits has more than "
                f"{has / _GIB:.1f} GiB there for pods ({most.name})",
                hint="use a claim instead, or nodes with larger disks; the kubelet evicts the pod when the disk is full",
            )


def _sized(spec: JSONObject) -> Iterator[tuple[str, int]]:
    """The volumes on the node's disk that have a size limit, with that limit."""
    for volume in items(spec, "volumes"):
        held = volume.get("emptyDir")
        if isinstance(held, dict) and held.get("medium", "") != "Memory" and (size := amount(held.get("sizeLimit"))) is not None:
            yield text(volume, "name"), size.value()

"""Finds whether a cluster has a known autoscaler: cluster-autoscaler, Karpenter, or Cluster API's groups of machines."""

from __future__ import annotations

from weighbridge.policies.facts.autoscaling.cluster_autoscaler import cluster_autoscaler, is_known_absent
from weighbridge.policies.facts.autoscaling.karpenter import NODE_POOL
from weighbridge.policies.facts.autoscaling.machine_groups import MACHINE_GROUPS, is_scaled
from weighbridge.policies.facts.store import ObjectStore


def has_autoscaler(store: ObjectStore) -> bool:
    """Whether there is one."""
    if cluster_autoscaler(store) is not None or any(True for _ in store.list(*NODE_POOL)):
        return True
    return any(is_scaled(group) for kind in MACHINE_GROUPS for group in store.list(*kind))


def surely_has_none(store: ObjectStore) -> bool:
    """Whether it is known that there is none."""
    return is_known_absent(store) and not has_autoscaler(store) and all(store.knows_all(*kind) for kind in (NODE_POOL, *MACHINE_GROUPS))

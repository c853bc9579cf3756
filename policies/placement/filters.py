"""The filters of one pod, in the scheduler's order: only the first that refuses a node gives reasons for it.

Source: Kubernetes v1.36, the default profile (``pkg/scheduler/apis/config/v1/default_plugins.go``). On an empty cluster NodePorts and
VolumeRestrictions refuse nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.placement.cordon import cordon_check
from weighbridge.policies.placement.declared_features import feature_check, required_features
from weighbridge.policies.placement.distinctions import Distinctions
from weighbridge.policies.placement.node_affinity import CONFLICT, NodeAffinity
from weighbridge.policies.placement.pod_affinity import pod_affinity_of
from weighbridge.policies.placement.resources import resource_check
from weighbridge.policies.placement.taints import taint_check
from weighbridge.policies.placement.topology_spread import spread_check, spread_keys
from weighbridge.policies.placement.volumes.claims import volumes_of
from weighbridge.policies.placement.volumes.filters import VolumeFilters
from weighbridge.policies.pods.admission import AdmittedPod

#: The reasons of one filter for one node; empty if it accepts the node.
Check: TypeAlias = Callable[[Node], tuple[str, ...]]


class Filter(StrEnum):
    """The filters that can refuse a node of an empty cluster; VolumeBinding includes VolumeZone."""

    NODE_UNSCHEDULABLE = "NodeUnschedulable"
    TAINT_TOLERATION = "TaintToleration"
    NODE_AFFINITY = "NodeAffinity"
    NODE_RESOURCES_FIT = "NodeResourcesFit"
    NODE_VOLUME_LIMITS = "NodeVolumeLimits"
    VOLUME_BINDING = "VolumeBinding"
    POD_TOPOLOGY_SPREAD = "PodTopologySpread"
    INTER_POD_AFFINITY = "InterPodAffinity"


class PodFilters:
    """The filters of one pod up to DynamicResources, and the result of PreFilter, which runs once before the nodes are filtered."""

    def __init__(self, pod: AdmittedPod, store: ObjectStore, by_devices: frozenset[str] = frozenset()) -> None:
        self.pod, self.by_devices = pod, by_devices
        self.unchecked = list(pod.unchecked)
        self.affinity = NodeAffinity.of(pod)
        volumes = volumes_of(pod, store)
        self.unchecked += volumes.unchecked
        self.volumes = VolumeFilters(volumes)
        self.volume_limits = volumes.limits
        self.volume_hints = volumes.hints
        self.absent_claims, self.unready_claims = volumes.absent, volumes.unready
        self.names = self.affinity.names()
        self.refusal = CONFLICT if self.names is not None and not self.names else volumes.refusal
        self.company = pod_affinity_of(pod, store, self.unchecked)
        self.spread_keys = spread_keys(pod)
        self.checks: dict[Filter, Check] = {
            Filter.NODE_UNSCHEDULABLE: partial(cordon_check, pod),
            Filter.TAINT_TOLERATION: partial(taint_check, pod),
            Filter.NODE_AFFINITY: self.affinity.check,
            Filter.NODE_RESOURCES_FIT: partial(resource_check, pod.requests, by_devices),
            Filter.NODE_VOLUME_LIMITS: volumes.limits.check,
            Filter.VOLUME_BINDING: self.volumes.check,
            Filter.POD_TOPOLOGY_SPREAD: partial(spread_check, self.spread_keys),
            Filter.INTER_POD_AFFINITY: self.company.check,
        }
        self.feature_check: Check = partial(feature_check, required_features(pod.spec))

    def check(self, node: Node) -> tuple[str, ...]:
        """The reasons of the first filter that refuses the node; empty if all accept it."""
        for check in self.checks.values():
            reasons = check(node)
            if reasons:
                return reasons
        return ()

    def refusing(self, node: Node) -> Iterator[Filter]:
        """All filters that refuse the node, each run by itself."""
        return (name for name, check in self.checks.items() if check(node))

    def distinctions(self) -> Distinctions:
        """What distinguishes nodes of one shape."""
        distinctions = Distinctions()
        self.affinity.distinguish(distinctions)
        self.volumes.distinguish(distinctions)
        self.volume_limits.distinguish(distinctions)
        return distinctions

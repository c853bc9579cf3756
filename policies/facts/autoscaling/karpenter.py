"""Karpenter's pools: the nodes that a NodePool may add.

A pool's requirements say which values its nodes' labels may have; a well-known label without a requirement may have any. The instance types
of a cloud aren't known here, so whether they have GPUs is read from the pool: its limits, and its requirements on GPUs or on instances. A
pool that doesn't mention hardware may have any. Startup taints don't count. Sources: kubernetes-sigs/karpenter v1
(`pkg/apis/v1/nodepool.go`, `labels.go`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from weighbridge.policies.facts.accelerators.clouds import INSTANCE_TYPE_LABELS, KARPENTER_GPU, vendor_of_instance
from weighbridge.policies.facts.mentions import Mentions
from weighbridge.policies.facts.node import HOSTNAME, Node
from weighbridge.policies.ground.fields import items, part, text, text_map, texts
from weighbridge.policies.ground.objects import JSONObject, lookup, name_of
from weighbridge.policies.ground.records import dataclass

#: Group and kind.
NODE_POOL: Final = ("karpenter.sh", "NodePool")
_TEMPLATE: Final = ("spec", "template")
_RESOURCES: Final = {"NVIDIA": "nvidia.com/gpu", "AMD": "amd.com/gpu"}
#: Labels that all of Karpenter's nodes have, whether or not a pool mentions them.
_ALWAYS: Final = (
    *("topology.kubernetes.io/zone", "topology.kubernetes.io/region", INSTANCE_TYPE_LABELS[0]),
    *("kubernetes.io/arch", "kubernetes.io/os", "karpenter.sh/capacity-type"),
)
# Labels by which clouds describe hardware: karpenter.k8s.aws/instance-family, karpenter.azure.com/sku-name.
_HARDWARE: Final = ("/instance-", "/sku-")
_INSTANCES: Final = ("/instance-type", "/instance-family", "/instance-category")
_MANY: Final = 2**31
#: The most combinations of labels that are tried for one pool.
_MOST_NODES: Final = 64
_OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class _Requirement:
    """One requirement on a label of a pool's nodes."""

    key: str
    operator: str
    values: tuple[str, ...]

    def allows(self, value: str) -> bool:
        """Whether a node of the pool may have this value."""
        match self.operator:
            case "In":
                return value in self.values
            case "NotIn":
                return value not in self.values
            case "Exists":
                return True
        bound = self.values[0] if self.values else ""
        if not (value.isdecimal() and bound.isdecimal()):
            return False
        number, limit = int(value), int(bound)
        comparisons = {"Gt": number > limit, "Gte": number >= limit, "Lt": number < limit, "Lte": number <= limit}
        return comparisons.get(self.operator, False)

    def examples(self) -> tuple[str, ...]:
        """Some allowed values."""
        if self.operator == "In":
            return self.values
        bound = int(self.values[0]) if self.values and self.values[0].isdecimal() else 0
        beyond = {"Gt": bound + 1, "Gte": bound, "Lt": max(0, bound - 1), "Lte": bound}.get(self.operator)
        return (_OTHER,) if beyond is None else (str(beyond),)


def nodes_of_pool(pool: JSONObject, mentions: Mentions) -> Iterator[Node]:
    """The nodes that a pool may add, one for each combination of mentioned values; none if its limits are used up."""
    limits = {key: str(amount) for key, amount in part(pool, "spec", "limits").items()}
    if lookup(pool, ("spec", "replicas")) == 0 or any(limits.get(name) in ("0", "0m") for name in ("nodes", "cpu", "memory")):
        return
    name = f"NodePool {name_of(pool)}"
    requirements = _requirements(pool)
    fixed = {
        **text_map(pool, *_TEMPLATE, "metadata", "labels"),
        "karpenter.sh/nodepool": name_of(pool),
        HOSTNAME: name,
    }
    open_labels = _open_labels(requirements, fixed, mentions)
    stated = {key: amount for key, amount in limits.items() if key != "nodes"} | _gpus(requirements, limits)
    taints = items(pool, *_TEMPLATE, "spec", "taints")
    for values in islice(product(*open_labels.values()), _MOST_NODES):
        yield Node.expected(name, fixed | dict(zip(open_labels, values, strict=True)), taints, stated)


def _requirements(pool: JSONObject) -> list[_Requirement]:
    return [
        _Requirement(text(entry, "key"), text(entry, "operator"), texts(entry, "values"))
        for entry in items(pool, *_TEMPLATE, "spec", "requirements")
    ]


def _open_labels(requirements: list[_Requirement], fixed: Mapping[str, str], mentions: Mentions) -> dict[str, list[str]]:
    """For each label of the pool's nodes that isn't fixed, the values that matter: those that are mentioned, and one other."""
    by_key: dict[str, list[_Requirement]] = {key: [] for key in _ALWAYS}
    for key in mentions.values:
        if any(part in key for part in _HARDWARE):
            by_key.setdefault(key, [])
    for requirement in requirements:
        by_key.setdefault(requirement.key, []).append(requirement)
    labels: dict[str, list[str]] = {}
    for key, found in by_key.items():
        if key in fixed or any(each.operator == "DoesNotExist" for each in found):
            continue
        mentioned = mentions.values.get(key, ())
        examples = [value for each in found for value in each.examples()] or [_OTHER]
        allowed = [value for value in dict.fromkeys((*mentioned, *examples)) if all(each.allows(value) for each in found)]
        others = [value for value in allowed if value not in mentioned]
        labels[key] = [value for value in allowed if value in mentioned] + others[:1]
    return labels


def _gpus(requirements: list[_Requirement], limits: Mapping[str, str]) -> dict[str, str | int]:
    """The number of GPUs of each vendor that a node may have, as far as the pool says, within its limits."""
    found: dict[str, str | int] = {}
    for vendor, resource in _RESOURCES.items():
        count = _count(vendor, requirements)
        limit = limits.get(resource, "")
        if count and not (limit.isdecimal() and int(limit) < count):
            found[resource] = count
    return found


def _count(vendor: str, requirements: list[_Requirement]) -> int:
    """The most GPUs of a vendor that a node may have; 0 if the pool describes its hardware and doesn't mention such GPUs."""
    gpu = [(each.key.rpartition("-")[2], each) for each in requirements if each.key.startswith(KARPENTER_GPU)]
    if gpu:
        return _count_of_gpu_node(vendor, gpu)
    hardware = [each for each in requirements if any(part in each.key for part in _HARDWARE)]
    instances = [each for each in hardware if each.operator == "In" and each.key.endswith(_INSTANCES)]
    if any(all(vendor_of_instance(value) != vendor for value in each.values) for each in instances):
        return 0
    return _MANY if instances or not hardware else 0


def _count_of_gpu_node(vendor: str, gpu: list[tuple[str, _Requirement]]) -> int:
    """The same for a pool that requires GPUs by their traits. If it doesn't name the manufacturer, they count as NVIDIA's."""
    makers = [each for trait, each in gpu if trait == "manufacturer"]
    if any(each.operator == "DoesNotExist" for _, each in gpu):
        return 0
    if not all(each.allows(vendor.lower()) for each in makers) or not (makers or vendor == "NVIDIA"):
        return 0
    most = _MANY
    for trait, each in gpu:
        numbers = [int(value) for value in each.examples() if value.isdecimal()]
        if trait == "count" and numbers and each.operator in ("In", "Lt", "Lte"):
            most = min(most, max(numbers))
    return most

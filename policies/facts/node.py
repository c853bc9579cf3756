"""A node as a scheduler sees it: allocatable resources, labels, taints, cordon, declared features.

Source: Kubernetes v1.36, core/v1 NodeSpec and NodeStatus.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weighbridge.policies.facts.tolerations import Taint, read_taints
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.objects import JSONObject, JSONValue, lookup, metadata_of, name_of
from weighbridge.policies.ground.quantity import Quantity, QuantityError
from weighbridge.policies.ground.records import dataclass, replace

if TYPE_CHECKING:
    from weighbridge.policies.facts.accelerators import Accelerator

#: The label that differs on each node in every cluster.
HOSTNAME: Final = "kubernetes.io/hostname"
#: Resources that every node has.
EVERY_NODE_HAS: Final = ("cpu", "memory", "ephemeral-storage", "pods")
# The most cpu that can be counted in thousandths; the same number is used for the other resources.
_PLENTY: Final = str(2**63 // 1000 - 1)


@dataclass(frozen=True, slots=True)
class Node:
    """One node; `allocatable` has the amounts that can be requested, by resource name.

    `amounts` is the same as the scheduler counts it: CPU in thousandths, everything else in whole units, rounded up.
    """

    name: str
    allocatable: Mapping[str, Quantity]
    amounts: Mapping[str, int]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    ready: bool
    unschedulable: bool
    declared_features: frozenset[str] = frozenset()
    #: Whether HAMi shares the node's devices, and the memory in MiB of each of NVIDIA's GPUs that it has registered.
    has_hami: bool = False
    hami: tuple[int, ...] = ()
    #: Whether the node may be added, so that not all objects of it exist yet.
    is_expected: bool = False

    @classmethod
    def from_object(cls, obj: JSONObject) -> Node:
        """Read a v1 Node.

        Values that no API server would have stored (an amount that isn't a quantity, a part of a wrong type) are left out.
        """
        status = obj.get("status") if isinstance(obj.get("status"), dict) else {}
        stated = lookup(obj, ("status", "allocatable")) or lookup(obj, ("status", "capacity"))
        texts = tuple((name, str(amount)) for name, amount in stated.items()) if isinstance(stated, dict) else ()
        allocatable, amounts = _amounts(texts)
        labels = metadata_of(obj).get("labels")
        features = lookup(obj, ("status", "declaredFeatures"))
        has_hami, gpus = _registered(metadata_of(obj).get("annotations"))
        return cls(
            name=name_of(obj),
            allocatable=allocatable,
            amounts=amounts,
            # Thousands of nodes have the same few texts.
            labels={sys.intern(str(key)): sys.intern(str(value)) for key, value in labels.items()} if isinstance(labels, dict) else {},
            taints=read_taints(lookup(obj, ("spec", "taints"))),
            ready=_is_ready(status),
            unschedulable=bool(lookup(obj, ("spec", "unschedulable"))),
            declared_features=frozenset(map(str, features)) if isinstance(features, list) else frozenset(),
            has_hami=has_hami,
            hami=gpus,
        )

    @classmethod
    def expected(cls, name: str, labels: Mapping[str, str], taints: Iterable[JSONObject], stated: Mapping[str, str | int | float]) -> Node:
        """A node that may be added, with some stated amounts.

        It has plenty of the resources that every node has, unless they are stated.
        """
        allocatable = {**dict.fromkeys(EVERY_NODE_HAS, _PLENTY), **stated}
        described = {
            "metadata": {"name": name, "labels": dict(labels)},
            "spec": {"taints": list(taints)},
            "status": {"allocatable": allocatable},
        }
        return replace(cls.from_object(described), is_expected=True)

    @property
    def takes_pods(self) -> bool:
        """Whether the scheduler would place a pod here now."""
        return self.ready and not self.unschedulable

    @property
    def accelerators(self) -> tuple[Accelerator, ...]:
        """What the node's labels say of its accelerators."""
        # The vendors' tables are loaded on demand, so that a lint without nodes doesn't wait for them.
        from weighbridge.policies.facts.accelerators import recognise

        return recognise(self.labels)

    def product_note(self, resource: str) -> str:
        """The product of a resource's unit on this node, in brackets after a space; empty if the labels don't name it."""
        from weighbridge.policies.facts.accelerators import product_text

        product = product_text(self.accelerators, resource)
        return f" ({product})" if product else ""


def counted(resource: str, amount: Quantity) -> int:
    """An amount as the scheduler counts it: CPU in thousandths, everything else in whole units, rounded up."""
    return amount.milli_value() if resource == "cpu" else amount.value()


@lru_cache(maxsize=4096)
def _amounts(texts: tuple[tuple[str, str], ...]) -> tuple[Mapping[str, Quantity], Mapping[str, int]]:
    """Amounts, which are read once for all nodes with the same ones."""
    read = {name: amount for name, text in texts if (amount := _amount(name, text)) is not None}
    return {name: amount for name, (amount, _) in read.items()}, {name: count for name, (_, count) in read.items()}


@lru_cache(maxsize=16384)
def _amount(name: str, text: str) -> tuple[Quantity, int] | None:
    """One amount, as a quantity and as it is counted; `None` for a value that isn't an amount."""
    try:
        amount = Quantity.parse(text)
    except QuantityError:
        return None
    return amount, counted(name, amount)


def _registered(annotations: JSONValue) -> tuple[bool, tuple[int, ...]]:
    """Whether HAMi has registered devices of the node, and the memory of those of NVIDIA."""
    if not annotations:
        return False, ()
    from weighbridge.policies.facts.registered_devices import registered_gpus, registers

    found = registers(annotations)
    return bool(found), registered_gpus(found)


def _is_ready(status: JSONValue) -> bool:
    """A node without a Ready condition (one written by hand) counts as ready."""
    return next((condition.get("status") == "True" for condition in items(status, "conditions") if condition.get("type") == "Ready"), True)

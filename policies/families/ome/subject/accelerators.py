"""An AcceleratorClass with the values by which it is chosen, and its nodes.

Sources: OME v0.1.5, pkg/acceleratorclassselector and pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import amount, items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass

_GIBI: Final = 1024**3
#: The default quantity of a resource in a class.
_ONE: Final = Quantity.parse("1")


@dataclass(frozen=True, slots=True)
class AcceleratorClass:
    """A class: its name, its nodes, and what it can do."""

    obj: JSONObject
    name: str
    spec: JSONObject

    @property
    def capabilities(self) -> JSONObject:
        """The capabilities of the class."""
        return part(self.spec, "capabilities")

    @property
    def family(self) -> str:
        """The family of its architecture."""
        return text(self.spec, "family")

    @property
    def vendor(self) -> str:
        """The vendor."""
        return text(self.spec, "vendor")

    @property
    def has_memory(self) -> bool:
        """Whether its memory is known."""
        return amount(self.capabilities.get("memoryGB")) is not None

    @property
    def memory(self) -> int:
        """Whole GiB of its memory, as constraints compare them; 0 if there is none."""
        return self._memory_bytes // _GIBI

    @property
    def exact_memory(self) -> float:
        """GiB of its memory with their fraction, as scores compare them; 0 if there is none."""
        return self._memory_bytes / _GIBI

    @property
    def _memory_bytes(self) -> int:
        found = amount(self.capabilities.get("memoryGB"))
        return found.value() if found is not None else 0

    @property
    def features(self) -> frozenset[str]:
        """Its features, in lower case."""
        return frozenset(name.lower() for name in texts(self.capabilities, "features"))

    @property
    def node_selector(self) -> dict[str, str]:
        """The labels of its nodes."""
        return text_map(self.spec, "discovery", "nodeSelector")

    def performance(self, name: str) -> int:
        """One of the numbers of its performance; 0 if there is none."""
        return whole(part(self.capabilities, "performance"), name)

    @property
    def bandwidth(self) -> int:
        """GB/s of its memory, rounded up; 0 if there is none."""
        found = amount(self.capabilities.get("memoryBandwidthGBps"))
        return found.value() if found is not None else 0

    def cost(self, name: str) -> Quantity | None:
        """One of its prices; 0 if there is none."""
        return amount(part(self.spec, "cost").get(name))

    @property
    def tier(self) -> str:
        """The tier of its price; empty if there is none."""
        return text(part(self.spec, "cost"), "tier")

    @property
    def resources(self) -> dict[str, Quantity]:
        """The resources that a pod requests to get one."""
        found: dict[str, Quantity] = {}
        for item in items(self.spec, "resources"):
            quantity = amount(item.get("quantity", "1"))
            found[text(item, "name")] = quantity if quantity is not None else _ONE
        return found


def has_node(one: AcceleratorClass, inventory: Inventory) -> bool:
    """Whether a node of the cluster is of a class, which only the node's labels decide."""
    return any(inventory.with_labels(one.node_selector))


def read_class(obj: JSONObject) -> AcceleratorClass:
    """A class as it is stored."""
    return AcceleratorClass(obj, name_of(obj), spec_of(obj))

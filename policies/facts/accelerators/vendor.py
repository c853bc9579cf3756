"""The form of what is known of a vendor's accelerators: resources, labels, and tables of products.

PCI vendor ids are those of the PCI ID repository, as node feature discovery puts them into its labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from weighbridge.policies.ground.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Product:
    """A product by its usual name, and the model, which different spellings of it have in common."""

    name: str
    model: str


@dataclass(frozen=True, slots=True)
class Vendor:
    """One vendor's tables. Labels are tried in this order: the first that names a product counts for the node.

    `id_labels` hold PCI device ids and `product_labels` names, as values or, counted, as the end of the key (``<label>.<name>: "4"``);
    `present_labels` only say that there is something of this vendor. `named` reads a name.
    """

    name: str
    pci_id: str
    domain: str
    devices: Mapping[str, Product]
    named: Callable[[str], Product]
    id_labels: tuple[str, ...] = ()
    product_labels: tuple[str, ...] = ()
    present_labels: tuple[str, ...] = ()
    not_devices: tuple[str, ...] = field(default=())

    def serves(self, resource: str) -> bool:
        """Whether a resource is of this vendor's accelerators, whole or in parts."""
        return resource.startswith(self.domain) and resource not in self.not_devices

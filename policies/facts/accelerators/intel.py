"""Intel: device ids with their products, and the labels of the device plugins' rules for node feature discovery.

Source: intel/intel-device-plugins-for-kubernetes, `deployments/nfd/overlays/node-feature-rules/` (`platform-labeling-rules.yaml` for the
product and the device ids, `node-feature-rules.yaml` for the mark that there is a GPU) and, for the resources that are parts of a GPU's
memory and time rather than GPUs, `cmd/gpu_plugin/labels.md` of its version 0.30.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.accelerators.vendor import Product, Vendor

_PRODUCTS: Final = {
    "Max_1100": "0bda",
    "Max_1550": "0bd5",
    "Flex_140": "56c1",
    "Flex_170": "56c0",
}


def named(name: str) -> Product:
    """The product of a label's value (`Max_1550`, in OME's documents `max-1550`)."""
    words = name.replace("_", " ").replace("-", " ").strip()
    return Product(f"Intel {words.title()} GPU", words.upper())


INTEL: Final = Vendor(
    name="Intel",
    pci_id="8086",
    domain="gpu.intel.com/",
    devices={device: named(name) for name, device in _PRODUCTS.items()},
    named=named,
    product_labels=("gpu.intel.com/product",),
    present_labels=("intel.feature.node.kubernetes.io/gpu",),
    not_devices=("gpu.intel.com/memory.max", "gpu.intel.com/millicores", "gpu.intel.com/tiles"),
)

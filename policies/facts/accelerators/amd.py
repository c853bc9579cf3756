"""AMD: device ids with their products, and the labels of the node labeller and the GPU operator.

Device ids and models: aim-engine v0.2.1 (`internal/utils/resources.go`, 35 ids); the names, and Instinct and AI PRO ids that are missing
there: `cmd/k8s-node-labeller/amdgpu.ids` of ROCm/k8s-device-plugin. If revisions of one id are several products, the name is the part that
they share, since the labels don't have the revision. Labels: `cmd/k8s-node-labeller/main.go` there (`beta.` is the older spelling; keys
that end in a name count the GPUs of a mixed node); `amd.com/gpu.product` and `gpu.amd.com/model` are those of OME's AcceleratorClasses.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.accelerators.vendor import Product, Vendor
from weighbridge.policies.ground.expressions import expression

_PRODUCTS: Final = {
    "AMD Radeon Instinct MI25": "6860",
    "AMD Instinct MI60 / MI50": "66a1",
    "AMD Instinct MI100": "738c 738e",
    "AMD Instinct MI210": "740f 7410",
    "AMD Instinct MI250X": "7408",
    "AMD Instinct MI250X / MI250": "740c",
    "AMD Instinct MI300A": "74a0",
    "AMD Instinct MI300X": "74a1",
    "AMD Instinct MI300X HF": "74a9 74bd",
    "AMD Instinct MI300X VF": "74b5",
    "AMD Instinct MI308X": "74a2 74b6",
    "AMD Instinct MI308X HF": "74a8",
    "AMD Instinct MI308X HF VF": "74bc",
    "AMD Instinct MI325X": "74a5",
    "AMD Instinct MI325X VF": "74b9",
    "AMD Instinct MI350X": "75a0",
    "AMD Instinct MI350X VF": "75b0",
    "AMD Instinct MI355X": "75a3",
    "AMD Instinct MI355X VF": "75b3",
    "AMD Radeon AI PRO R9700 / R9600D": "7551",
    "AMD Radeon Pro V620": "73a1",
    "AMD Radeon Pro V620 MxGPU": "73ae",
    "AMD Radeon Pro V710": "7460",
    "AMD Radeon Pro V710 MxGPU": "7461",
    "AMD Radeon Pro W6800": "73a3",
    "AMD Radeon Pro W6800X": "73ab",
    "AMD Radeon Pro W6900X": "73a2",
    "AMD Radeon Pro W7800": "745e",
    "AMD Radeon Pro W7800 48GB": "7449",
    "AMD Radeon Pro W7900": "7448",
    "AMD Radeon Pro W7900 Dual Slot": "744a",
    "AMD Radeon RX 6800 / RX 6900 XT": "73bf",
    "AMD Radeon RX 6900 XT": "73af",
    "AMD Radeon RX 7900": "744c",
    "AMD Radeon RX 9070": "7550",
}
_MODEL: Final = expression(r"(?:MI|V|W|R|RX ?)?[0-9]{2,}[A-Z0-9]*")


def named(name: str) -> Product:
    """The product with a name, which is the product's own or that of a label, with underscores for spaces."""
    words = name.replace("_", " ").strip()
    known = _MODEL.search(words.upper())
    return Product(words if words.upper().startswith("AMD") else f"AMD {words}", known.group().replace(" ", "") if known else words.upper())


AMD: Final = Vendor(
    name="AMD",
    pci_id="1002",
    domain="amd.com/",
    devices={device: named(name) for name, devices in _PRODUCTS.items() for device in devices.split()},
    named=named,
    id_labels=("amd.com/gpu.device-id", "beta.amd.com/gpu.device-id"),
    product_labels=("amd.com/gpu.product-name", "beta.amd.com/gpu.product-name", "amd.com/gpu.product", "gpu.amd.com/model"),
    present_labels=("feature.node.kubernetes.io/amd-gpu", "feature.node.kubernetes.io/amd-vgpu"),
    not_devices=("amd.com/gpumem", "amd.com/gpucores"),
)

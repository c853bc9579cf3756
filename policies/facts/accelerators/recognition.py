"""Finds the accelerators that a node's labels name.

Every label of the vendors' tables is tried, the newer spelling before the older. The devices that node feature discovery found on the PCI
bus come last, since it rarely names the product. Labels say what a node has; only its resources say how much of it can be requested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.accelerators.amd import AMD
from weighbridge.policies.facts.accelerators.clouds import INSTANCE_TYPE_LABELS, INSTANCE_TYPES, KARPENTER_GPU
from weighbridge.policies.facts.accelerators.intel import INTEL
from weighbridge.policies.facts.accelerators.nvidia import MIG, MIG_PROFILES, NVIDIA, mig_product
from weighbridge.policies.facts.accelerators.vendor import Product, Vendor
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

VENDORS: Final = (AMD, NVIDIA, INTEL)
#: Resources of generic device plugins, which don't show the vendor (LLMKube v0.9.19, pkg/apiutil/gpu.go; squat/generic-device-plugin).
_ANY_VENDOR: Final = ("devic.es/", "squat.ai/")
# Node feature discovery: pci-<class>_<vendor>.present, or, if configured so, with a device id after it or without the class. Classes 03 are
# display controllers, 12 processing accelerators. Intel's rules write device-id.<class>-<device>.present and .count.
_PCI: Final = expression(r"feature\.node\.kubernetes\.io/pci-(?:(03|12)[0-9a-f]{2}_)?(1002|10de|8086)(?:_([0-9a-f]{4}))?\.present")
_INTEL_DEVICE: Final = expression(r"gpu\.intel\.com/device-id\.03[0-9a-f]{2}-([0-9a-f]{4})\.(?:present|count)")
_PRODUCTS: Final = tuple(label for vendor in VENDORS for label in (*vendor.id_labels, *vendor.product_labels))
_SPOKEN_OF: Final = (
    *(label for vendor in VENDORS for label in (*vendor.id_labels, *vendor.product_labels, *vendor.present_labels)),
    MIG,
    "gpu.intel.com/device-id.",
    "feature.node.kubernetes.io/pci-",
    *KARPENTER_GPU,
    *INSTANCE_TYPE_LABELS,
)


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A kind of accelerator that a label says a node has; `model` is empty if the label names only the vendor.

    `resource` is set if the label is about a single resource, as that of a MIG slice is.
    """

    vendor: str
    product: str
    model: str
    label: str
    resource: str = ""


def recognise(labels: Mapping[str, str]) -> tuple[Accelerator, ...]:
    """The accelerators that a node's labels name, each once; empty if they name none."""
    telling = [item for item in labels.items() if item[0].startswith(_SPOKEN_OF)]
    return _recognise(tuple(sorted(telling))) if telling else ()


def recognise_label(key: str, value: str) -> Accelerator | None:
    """The accelerator that one label names; `None` if it names no product."""
    return next((found for found in recognise({key: value}) if found.model), None)


def names_product(key: str) -> bool:
    """Whether a label names a node's product, as the vendors' tools write it."""
    return key.startswith(_PRODUCTS)


@lru_cache(maxsize=1024)
def _recognise(labels: tuple[tuple[str, str], ...]) -> tuple[Accelerator, ...]:
    """The accelerators that these labels name. They are the same on nodes of one kind, so each kind is worked out once."""
    known = dict(labels)
    found = [accelerator for vendor in VENDORS for accelerator in _of_vendor(vendor, known)]
    found += _slices(known)
    return tuple(found or _of_cloud(known))


def _of_vendor(vendor: Vendor, labels: Mapping[str, str]) -> list[Accelerator]:
    for label in vendor.id_labels:
        if found := [_device(vendor, entry, device) for entry, device in _entries(label, labels)]:
            return found
    for label in vendor.product_labels:
        if found := [_named(vendor, entry, vendor.named(name)) for entry, name in _entries(label, labels)]:
            return found
    return _on_bus(vendor, labels)


def _entries(label: str, labels: Mapping[str, str]) -> list[tuple[str, str]]:
    """The names in a label: its value, or the counted names at the end of its key, unless the count is 0."""
    if labels.get(label):
        return [(f"{label}={labels[label]}", labels[label])]
    ends = [(key, key[len(label) + 1 :], count) for key, count in labels.items() if key.startswith(f"{label}.")]
    return [(f"{key}={count}", end) for key, end, count in ends if end and count not in ("", "0")]


def _device(vendor: Vendor, label: str, device: str) -> Accelerator:
    """A product by its device id; AIM names unknown ones AMD-<id>."""
    bare = device.lower().removeprefix("0x")
    return _named(vendor, label, vendor.devices.get(bare) or Product(f"{vendor.name} device {bare}", bare.upper()))


def _named(vendor: Vendor, label: str, product: Product, resource: str = "") -> Accelerator:
    return Accelerator(vendor.name, product.name, product.model, label, resource)


def _on_bus(vendor: Vendor, labels: Mapping[str, str]) -> list[Accelerator]:
    """The devices on the PCI bus: products if the labels have device ids that the tables know, or else only their vendor."""
    there = [label for label in vendor.present_labels if labels.get(label) == "true"]
    devices: dict[str, str] = {}
    for key, value in labels.items():
        pci, intel = _PCI.fullmatch(key), _INTEL_DEVICE.fullmatch(key)
        device = ""
        if pci is not None and value == "true" and pci.group(2) == vendor.pci_id:
            device = pci.group(3) or ""
            # These vendors make network cards and bridges too. Only a class, or NVIDIA's name alone, means a GPU.
            if pci.group(1) or (vendor is NVIDIA and not device):
                there.append(key)
        elif intel is not None and vendor is INTEL:
            device = intel.group(1)
            there.append(key)
        if device in vendor.devices:
            devices.setdefault(device, f"{key}={value}")
    if devices:
        return [_device(vendor, label, device) for device, label in devices.items()]
    return [Accelerator(vendor.name, f"an {vendor.name} GPU", "", f"{there[0]}={labels[there[0]]}")] if there else []


def _slices(labels: Mapping[str, str]) -> Iterator[Accelerator]:
    """The slices of the MIG strategy `mixed`, each with its own resource."""
    for key, value in labels.items():
        if key.startswith(MIG) and key.endswith(".product") and value:
            yield _named(NVIDIA, f"{key}={value}", NVIDIA.named(value), key.removesuffix(".product"))


def _of_cloud(labels: Mapping[str, str]) -> list[Accelerator]:
    """The accelerators that Karpenter's labels or the instance type name; only for nodes without labels of a vendor."""
    for start in KARPENTER_GPU:
        name, manufacturer = labels.get(f"{start}name", ""), labels.get(f"{start}manufacturer", "")
        for vendor in VENDORS if name else ():
            if vendor.name.lower() == manufacturer:
                return [_named(vendor, f"{start}name={name}", vendor.named(name.upper()))]
    for label in INSTANCE_TYPE_LABELS:
        if model := INSTANCE_TYPES.get(labels.get(label, "")):
            return [_named(NVIDIA, f"{label}={labels[label]}", NVIDIA.named(model))]
    return []


def slicing_text(accelerator: Accelerator, resource: str) -> str:
    """A text on how MIG can split a GPU, for a pod that requests a slice as `resource`.

    It is empty if the tables don't know, or if `resource` isn't a slice.
    """
    wanted = resource.removeprefix(MIG).replace(".me", "+me")
    profiles = MIG_PROFILES.get(mig_product(accelerator.product, accelerator.model), ())
    if wanted == resource or not profiles or accelerator.vendor != NVIDIA.name or accelerator.resource:
        return ""
    return f"which MIG can cut into {wanted}" if wanted in profiles else f"which MIG cuts into {', '.join(profiles)}"


def vendor_of_resource(resource: str) -> str:
    """The vendor of a resource's accelerators; empty if it belongs to no vendor, or can belong to any."""
    return next((vendor.name for vendor in VENDORS if vendor.serves(resource)), "")


def product_text(accelerators: Iterable[Accelerator], resource: str) -> str:
    """The product that one unit of a resource is on a node with these accelerators; empty if the labels don't name it."""
    accelerators = tuple(accelerators)
    own = [held for held in accelerators if held.resource == resource]
    if not own and resource.startswith(MIG):
        return ""
    vendor = vendor_of_resource(resource)
    if not own and (vendor or resource.startswith(_ANY_VENDOR)):
        own = [held for held in accelerators if not held.resource and held.model and held.vendor in (vendor or held.vendor)]
    return " and ".join(dict.fromkeys(held.product for held in own))

"""The GPU models that an operator finds in a cluster by the labels of its nodes, and the operator's names for them.

Every node with a recognised label counts, even if it is cordoned or has no allocatable GPU.

Source: kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go; aim-engine v0.2.1, internal/utils/resources.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.accelerators.amd import AMD
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.ground.expressions import expression

#: The only label by which pods are bound to nodes.
DEVICE_ID: Final = "amd.com/gpu.device-id"
RESOURCE: Final = "amd.com/gpu"
NVIDIA_RESOURCE: Final = "nvidia.com/gpu"
#: The normalised names of NVIDIA's GPUs for servers.
NVIDIA_MODEL: Final = expression(r"(?:A|H|B|GH|GB|L|T|V)[0-9]{1,3}S?")

_AMD_IDS: Final = (DEVICE_ID, "beta.amd.com/gpu.device-id")
_AMD_FAMILIES: Final = ("amd.com/gpu.family", "beta.amd.com/gpu.family")
_AMD_MEMORY: Final = ("amd.com/gpu.vram", "beta.amd.com/gpu.vram")
_NVIDIA_PRODUCTS: Final = ("nvidia.com/gpu.product", "nvidia.com/mig.product")
_NVIDIA_FAMILIES: Final = ("nvidia.com/gpu.family",)
_NVIDIA_FEATURE: Final = "feature.node.kubernetes.io/nvidia-gpu-model"
#: AMD's device ids that neither operator has in its table.
_UNKNOWN: Final = frozenset({"6860", "66a1", "7551", "74bc"})
_MODEL_BY_ID: Final = {device: product.model for device, product in AMD.devices.items() if device not in _UNKNOWN}

#: Memory of one GPU in GiB; a node's label wins over it.
_MEMORY: Final = {
    **dict.fromkeys(("RX6800", "RX6900", "RX9070"), 16),
    "RX7900": 24,
    **dict.fromkeys(("MI100", "V710", "W7800", "W6900X", "W6800", "W6800X", "V620"), 32),
    "W7900": 48,
    "MI210": 64,
    **dict.fromkeys(("MI250X", "MI300A", "MI308X"), 128),
    "MI300X": 192,
    "MI325X": 256,
    **dict.fromkeys(("MI350X", "MI355X"), 288),
}
#: The models that aim-engine can find in a cluster, apart from those of unknown device ids.
KNOWN_MODELS: Final = frozenset(_MODEL_BY_ID.values())
_WORDS: Final = expression(r"[- /:]")
_NAMED: Final = expression(r"(?:MI|ME|RX|RTX|GTX|A|H|L|T|V|K|P|QUADRO|TESLA|GRID)?[A-Z]*[0-9]+[A-Z0-9]*")
_SIZE: Final = expression(r"([0-9]+)([GT]?)")
_UNITS: Final = {"": 1, "G": 2**30, "T": 2**40}


def normalised(name: str, dialect: Dialect) -> str:
    """A name of a GPU as the operator compares it: ``AMD_Instinct_MI300X_OAM`` is ``MI300X``; empty for a blank one."""
    return _normalised(name, dialect.vendor_words)


@lru_cache(maxsize=1024)
def _normalised(name: str, vendor_words: frozenset[str]) -> str:
    written = name.strip().upper().replace("_", "-")
    every = [word for word in _WORDS.split(written) if word]
    words = [word for word in every if word not in vendor_words]
    # If a name has only vendor words, the first one is the name.
    named = next((word for word in words if _NAMED.fullmatch(word)), every[0] if every else "")
    return named.removeprefix("INSTINCT")


def can_be_found(model: str, dialect: Dialect) -> bool:
    """Whether some cluster can have a normalised model, as far as is known; kaiwo accepts any product of NVIDIA's."""
    return model in KNOWN_MODELS or (dialect.knows_nvidia and not model.startswith(("MI", "AMD", "RX")))


def device_ids(model: str) -> list[str]:
    """The device ids of a normalised model, sorted; none if the operators' table lacks it."""
    return sorted(device for device, known in _MODEL_BY_ID.items() if known == model)


def cluster_models(inventory: Inventory, dialect: Dialect) -> Mapping[str, int]:
    """The models that the operator finds, with the bytes of one GPU, 0 if it knows none."""
    return inventory.once((cluster_models, dialect.group), lambda: _cluster_models(inventory, dialect))


def _cluster_models(inventory: Inventory, dialect: Dialect) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for labels in _labelled(inventory):
        for model in _models(labels, dialect):
            labelled = _label_memory(labels)
            found[model] = max(found.get(model, 0), _MEMORY.get(model, 0) * 2**30 if labelled is None else labelled)
    return found


def fitting_ids(inventory: Inventory | None, least: int, dialect: Dialect) -> list[str]:
    """The device ids of every model of the cluster with at least this many bytes, sorted."""
    models = cluster_models(inventory, dialect) if inventory is not None else {}
    return sorted(device for model, memory in models.items() if memory >= least for device in device_ids(model))


def _labelled(inventory: Inventory) -> Iterator[Mapping[str, str]]:
    """The labels of enough nodes to find every model."""
    own = any(label.startswith(("amd.com/", "beta.amd.com/", "nvidia.com/", _NVIDIA_FEATURE)) for label in inventory.own.labels)
    for node in inventory.nodes if own else inventory.examples():
        yield node.labels


def _models(labels: Mapping[str, str], dialect: Dialect) -> Iterator[str]:
    """The model of a node for each vendor."""
    if (device := _first(labels, _AMD_IDS)) is not None:
        device = device.lower().removeprefix("0x")
        yield _MODEL_BY_ID.get(device, f"AMD-{device.upper()}")
    elif (family := _first(labels, _AMD_FAMILIES)) is not None:
        yield normalised(family, dialect)
    if dialect.knows_nvidia:
        product = _first(labels, _NVIDIA_PRODUCTS) or _first(labels, _NVIDIA_FAMILIES) or labels.get(_NVIDIA_FEATURE, "")
        if product:
            yield normalised(product, dialect)


def _first(labels: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    """The product that the first of these labels names, in its value or at the end of its key."""
    for name in names:
        if labels.get(name):
            return labels[name]
    for name in names:
        for key, count in labels.items():
            if key.startswith(f"{name}.") and count not in ("", "0"):
                return key[len(name) + 1 :]
    return None


def _label_memory(labels: Mapping[str, str]) -> int | None:
    """The bytes in the label, 0 if it can't be read; `None` without a label of exactly that name."""
    text = next((labels[name] for name in _AMD_MEMORY if labels.get(name)), None)
    if text is None:
        return None
    found = _SIZE.fullmatch(text.strip().upper())
    return int(found[1]) * _UNITS[found[2]] if found else 0

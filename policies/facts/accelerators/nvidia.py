"""NVIDIA: the labels of GPU feature discovery, and the MIG profiles into which a model can be split.

Labels: NVIDIA/k8s-device-plugin (`docs/gpu-feature-discovery/README.md`, `internal/lm/resource.go`): the product's label is the resource's
name with `.product` behind it, `-MIG-<profile>` names a slice and `-SHARED` one that several pods share; names come with `NVIDIA-` and
without. `nvidia-gpu-model` and keys that end in a name: as the AIM operator reads them (`internal/controller/aim/shared/gpu_resources.go`)
and models as it does. `gke-accelerator`: kubernetes/autoscaler, `cluster-autoscaler/utils/gpu/gpu.go`. MIG profiles:
NVIDIA/gpu-operator, `assets/state-mig-manager/0400_configmap.yaml`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.accelerators.vendor import Product, Vendor
from weighbridge.policies.ground.expressions import expression

#: The resource of a whole GPU, and the beginning of the names of its slices' resources.
WHOLE_GPU: Final = "nvidia.com/gpu"
MIG: Final = "nvidia.com/mig-"
#: The profiles into which a product can be split.
MIG_PROFILES: Final = {
    "A30": ("1g.6gb", "1g.6gb+me", "2g.12gb", "2g.12gb+me", "4g.24gb"),
    "A100-40GB": ("1g.5gb", "1g.5gb+me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"),
    "A100-80GB": ("1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"),
    "H100-80GB": ("1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"),
    "H100-NVL": ("1g.12gb", "1g.12gb+me", "1g.24gb", "2g.24gb", "3g.47gb", "4g.47gb", "7g.94gb"),
    "H200": ("1g.18gb", "1g.18gb+me", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"),
    "B200": ("1g.23gb", "1g.23gb+me", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"),
}

_SPACERS: Final = expression(r"[-_ /:]+")
_SKIPPED: Final = frozenset({"NVIDIA", "TESLA", "RTX"})
_MODEL: Final = expression(r"[A-Z]*[0-9]+[A-Z0-9]*")
_SLICE: Final = expression(r"-MIG-([0-9]+g\.[0-9]+gb[\w.+]*)")


def named(name: str) -> Product:
    """The product that a label names, and whether it is a slice or shared."""
    whole = _SLICE.sub("", name.removesuffix("-SHARED"))
    text = f"NVIDIA {whole.removeprefix('NVIDIA-').removeprefix('nvidia-')}"
    cut = _SLICE.search(name)
    text += f", MIG {cut.group(1)}" if cut else ""
    text += ", shared" if name.endswith("-SHARED") else ""
    return Product(text, _model(whole))


def mig_product(product: str, model: str) -> str:
    """The entry of `MIG_PROFILES` for a product; empty if its name doesn't say how much memory it has."""
    words = product.upper()
    return next((entry for entry in MIG_PROFILES if entry.partition("-")[0] == model and entry.partition("-")[2] in words), "")


def _model(name: str) -> str:
    words = [word for word in _SPACERS.split(name.upper()) if word and word not in _SKIPPED]
    return next((word for word in words if _MODEL.fullmatch(word)), words[0] if words else "")


NVIDIA: Final = Vendor(
    name="NVIDIA",
    pci_id="10de",
    domain="nvidia.com/",
    devices={},
    named=named,
    product_labels=(
        "nvidia.com/gpu.product",
        "nvidia.com/mig.product",
        "feature.node.kubernetes.io/nvidia-gpu-model",
        "cloud.google.com/gke-accelerator",
    ),
    present_labels=("nvidia.com/gpu.present",),
    # The resources by which HAMi shares a GPU: its memory and its cores.
    not_devices=("nvidia.com/gpumem", "nvidia.com/gpumem-percentage", "nvidia.com/gpucores", "nvidia.com/priority"),
)

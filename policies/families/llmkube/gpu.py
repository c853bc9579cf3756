"""What a Model's GPU block makes the operator ask a node for.

Two resolvers upstream disagree: the pod's request (`pkg/apiutil/gpu.go`) goes by vendor and runtime, the readiness check
(`internal/controller/gpu_resources.go`) by accelerator. The pod's is the one that decides where it runs, so it is the one kept here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from policies.families.family import spec_of
from policies.objects import JSONObject, JSONValue

#: The resource that the operator asks for, by vendor (`pkg/apiutil/gpu.go`).
VENDOR_RESOURCE: Final = {"nvidia": "nvidia.com/gpu", "amd": "amd.com/gpu", "intel": "gpu.intel.com/i915"}
#: What it asks for instead where vendor amd has a runtime: a device of the generic device plugin.
DRI_RENDER: Final = "devic.es/dri-render"
#: Resource names under which device plugins serve each vendor's GPUs, the usual one first.
KNOWN_RESOURCES: Final = {
    "nvidia": ("nvidia.com/gpu",),
    "amd": ("amd.com/gpu", DRI_RENDER, "squat.ai/dri-render", "devic.es/rocm"),
    "intel": ("gpu.intel.com/i915", "gpu.intel.com/xe", DRI_RENDER),
}
#: The accelerator that the operator's own defaulter and readiness check expect, by vendor.
VENDOR_ACCELERATOR: Final = {"nvidia": "cuda", "intel": "intel"}
#: The accelerators that contradict nothing, by vendor.
ACCELERATORS: Final = {
    "nvidia": frozenset({"cuda"}),
    "amd": frozenset({"rocm", "vulkan"}),
    "intel": frozenset({"intel", "vulkan"}),
}


@dataclass(frozen=True, slots=True)
class GpuRequest:
    """A Model's GPU block, read with the CRD's defaults; what is of the wrong type reads as absent."""

    accelerator: str
    vendor: str
    runtime: str
    enabled: bool
    count: int
    resource_name: str
    claims: tuple[JSONObject, ...]

    @property
    def wanted(self) -> bool:
        """Whether a pod of the Model is to have a GPU; on metal there is no pod."""
        return self.accelerator != "metal" and (self.enabled or self.count > 0 or bool(self.claims))

    @property
    def operator_resource(self) -> str:
        """The resource that the operator requests where `resourceName` is left open."""
        if self.vendor == "amd" and self.runtime in {"vulkan", "rocm"}:
            return DRI_RENDER
        return VENDOR_RESOURCE.get(self.vendor, "nvidia.com/gpu")

    @property
    def resource(self) -> str:
        """The resource that the pod requests."""
        return self.resource_name.strip() or self.operator_resource


def gpu_request(model: JSONObject | None) -> GpuRequest | None:
    """The GPU block of a Model, or `None` where it has none."""
    hardware = spec_of(model).get("hardware")
    gpu = hardware.get("gpu") if isinstance(hardware, dict) else None
    if not isinstance(hardware, dict) or not isinstance(gpu, dict):
        return None
    count, claims = gpu.get("count"), gpu.get("resourceClaims")
    return GpuRequest(
        accelerator=_text(hardware.get("accelerator")) or "cpu",
        vendor=_text(gpu.get("vendor")) or "nvidia",
        runtime=_text(gpu.get("runtime")),
        enabled=gpu.get("enabled") is True,
        count=count if isinstance(count, int) and not isinstance(count, bool) else 0,
        resource_name=_text(gpu.get("resourceName")),
        claims=tuple(claim for claim in claims if isinstance(claim, dict)) if isinstance(claims, list) else (),
    )


def _text(value: JSONValue) -> str:
    return value if isinstance(value, str) else ""

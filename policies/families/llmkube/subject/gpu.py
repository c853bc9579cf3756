"""The GPU resource that the operator requests for a Model's GPU block.

Two functions of upstream choose it differently: the one for the pod's request (`pkg/apiutil/gpu.go`) by vendor and runtime, the one of the
readiness check (`internal/controller/gpu_resources.go`) by accelerator. This module has the first, since the pod's request decides where it
runs.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.ground.fields import flag, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

#: The resource that the operator requests, by vendor (`pkg/apiutil/gpu.go`).
VENDOR_RESOURCE: Final = {"nvidia": "nvidia.com/gpu", "amd": "amd.com/gpu", "intel": "gpu.intel.com/i915"}
#: The resource that it requests instead if vendor amd has a runtime: a device of the generic device plugin.
DRI_RENDER: Final = "devic.es/dri-render"
#: Resource names under which device plugins serve each vendor's GPUs, the usual one first.
KNOWN_RESOURCES: Final = {
    "nvidia": ("nvidia.com/gpu",),
    "amd": ("amd.com/gpu", DRI_RENDER, "squat.ai/dri-render", "devic.es/rocm"),
    "intel": ("gpu.intel.com/i915", "gpu.intel.com/xe", DRI_RENDER),
}
#: An operator of which nothing is known.
NEWEST_OPERATOR: Final = KnownOperator()
#: The accelerator that the operator's own defaulter and readiness check expect, by vendor.
VENDOR_ACCELERATOR: Final = {"nvidia": "cuda", "intel": "intel"}
#: The accelerators that don't contradict the vendor, by vendor.
ACCELERATORS: Final = {
    "nvidia": frozenset({"cuda"}),
    "amd": frozenset({"rocm", "vulkan"}),
    "intel": frozenset({"intel", "vulkan"}),
}


@dataclass(frozen=True, slots=True)
class GpuRequest:
    """A Model's GPU block, read with the CRD's defaults; fields of the wrong type count as absent."""

    accelerator: str
    vendor: str
    runtime: str
    enabled: bool
    count: int
    resource_name: str
    claims: tuple[JSONObject, ...]
    #: The resource that the operator requests if `resourceName` is left open.
    operator_resource: str

    @property
    def wanted(self) -> bool:
        """Whether a pod of the Model gets a GPU; on metal there is no pod."""
        return self.accelerator != "metal" and (self.enabled or self.count > 0 or bool(self.claims))

    @property
    def resource(self) -> str:
        """The resource that the pod requests."""
        return self.resource_name.strip() or self.operator_resource


def gpu_request(model: JSONObject | None, operator: KnownOperator = NEWEST_OPERATOR) -> GpuRequest:
    """The GPU block of a Model as an operator reads it; without a block, one that requests nothing."""
    hardware = part(spec_of(model), "hardware")
    gpu = part(hardware, "gpu")
    vendor, runtime = text(gpu, "vendor") or "nvidia", text(gpu, "runtime")
    return GpuRequest(
        accelerator=text(hardware, "accelerator") or "cpu",
        vendor=vendor,
        runtime=runtime,
        enabled=flag(gpu, "enabled"),
        count=whole(gpu, "count"),
        resource_name=text(gpu, "resourceName"),
        claims=tuple(items(gpu, "resourceClaims")),
        operator_resource=operator_resource(vendor, runtime, operator),
    )


@dataclass(frozen=True, slots=True)
class PodGpus:
    """The GPUs that each pod of an InferenceService asks for.

    `count_from` says which field decided the count; empty if none did. `resource` is the resource in which the count is requested, which
    depends on the sharing mode, too; `claims` are the Model's resource claims. `has_block` says whether the Model has a GPU block.
    """

    count: int
    count_from: str
    resource: str
    vendor: str
    runtime: str
    enabled: bool
    has_block: bool
    claims: tuple[JSONObject, ...]
    sharing: str
    profile: str
    toleration_key: str

    @property
    def present(self) -> bool:
        """Whether the pod gets a GPU, by count or by claims."""
        return self.count > 0 or bool(self.claims)

    @property
    def held(self) -> str:
        """What a pod has, in words."""
        return f"{self.count} {self.resource}" if self.count else "a claimed GPU"


def on_metal(model: JSONObject) -> bool:
    """Whether the Model runs on a Mac outside the cluster."""
    return text(part(spec_of(model), "hardware"), "accelerator") == "metal"


def gpu_count(gpu: JSONObject, resources: JSONObject) -> tuple[int, str]:
    """The number of GPUs that a pod requests, by the Model's GPU block, else by the service's resources, and the field that has it; 0 for
    none.
    """
    count = whole(gpu, "count")
    if count > 0:
        return count, "Model spec.hardware.gpu.count"
    count = whole(resources, "gpu")
    return (count, "InferenceService spec.resources.gpu") if count > 0 else (0, "")


def pod_gpus(model: JSONObject | None, service: JSONObject | None, operator: KnownOperator) -> PodGpus:
    """The GPUs of a service's pods; a Model that isn't known counts as one without hardware, as for upstream."""
    gpu = part(spec_of(model), "hardware", "gpu")
    resources = part(spec_of(service), "resources")
    sharing = part(resources, "gpuSharing") if operator.since(0, 9, 9) else {}
    count, count_from = gpu_count(gpu, resources)
    vendor, runtime = text(gpu, "vendor") or "nvidia", text(gpu, "runtime")
    mode, profile = text(sharing, "mode") or "exclusive", text(sharing, "profile").strip()
    resource = text(gpu, "resourceName").strip() or operator_resource(vendor, runtime, operator)
    return PodGpus(
        count=count,
        count_from=count_from,
        resource=f"nvidia.com/mig-{profile}" if mode == "partitioned" else resource,
        vendor=vendor,
        runtime=runtime,
        enabled=flag(gpu, "enabled"),
        has_block=bool(gpu),
        claims=tuple(items(gpu, "resourceClaims")),
        sharing=mode,
        profile=profile,
        toleration_key=text(gpu, "tolerationKey"),
    )


def operator_resource(vendor: str, runtime: str, operator: KnownOperator) -> str:
    """The resource that the operator requests for a vendor if no name is given."""
    renders = {"vulkan", "rocm"} if operator.since(0, 9, 8) else {"vulkan"}
    if vendor == "amd" and runtime in renders:
        return DRI_RENDER
    return VENDOR_RESOURCE.get(vendor, "nvidia.com/gpu")

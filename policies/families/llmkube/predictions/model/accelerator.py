"""Whether a Model's accelerator is in the cluster, by the operator's own readiness check, which sets `status.acceleratorReady`.

The check looks for another resource than the pod requests: it chooses it by the accelerator, not by the vendor. One node with the resource
in its capacity is enough, whatever its taints are, how many devices it has, and how many are free. Source: LLMKube v0.9.19,
internal/controller/gpu_resources.go and model_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.gpu import DRI_RENDER
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, namespace_of

_CLAIMS: Final = {"resourceClaimName": "ResourceClaim", "resourceClaimTemplateName": "ResourceClaimTemplate"}
_GROUP: Final = "resource.k8s.io"


def accelerator_ready(model: JSONObject, operator: KnownOperator, facts: Facts) -> bool | None:
    """Whether the check passes; `None` if it depends on nodes or claims that aren't known."""
    accelerator = text(part(spec_of(model), "hardware"), "accelerator").strip().lower()
    if accelerator in {"", "cpu", "metal"}:
        return True
    claims = items(part(spec_of(model), "hardware", "gpu"), "resourceClaims")
    if claims:
        return _claims_there(claims, namespace_of(model), facts)
    if facts.inventory is None:
        return None
    resource = readiness_resource(model, accelerator, operator)
    # Upstream reads the capacity. Nodes are kept with their allocatable resources, which differ only while a device plugin is down.
    return resource in facts.inventory.offers or resource in facts.inventory.held_back


def readiness_resource(model: JSONObject, accelerator: str, operator: KnownOperator) -> str:
    """The resource that the check looks for."""
    gpu = part(spec_of(model), "hardware", "gpu")
    override = text(gpu, "resourceName").strip()
    if override:
        return override
    if accelerator == "cuda":
        return "nvidia.com/gpu"
    settled = operator.since(0, 9, 8)
    if accelerator == "rocm" and not settled:
        return "amd.com/gpu"
    if accelerator == "intel" or text(gpu, "vendor").lower() == "intel":
        return operator.intel_gpu_resource.strip() or "gpu.intel.com/i915"
    return DRI_RENDER if accelerator in {"vulkan", "rocm"} else "nvidia.com/gpu"


def _claims_there(claims: list[JSONObject], namespace: str, facts: Facts) -> bool | None:
    """Whether every named claim exists; an entry without a name passes."""
    there: bool | None = True
    for claim in claims:
        for field, kind in _CLAIMS.items():
            name = text(claim, field)
            if not name or facts.objects.get(_GROUP, kind, namespace, name) is not None:
                continue
            if facts.objects.knows_all(_GROUP, kind):
                return False
            there = None
    return there

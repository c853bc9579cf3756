"""LLMKube's own mutating webhook for Models (`mmodel.inference.llmkube.dev`): its changes and its refusals.

It exists since v0.9.5, is called on creations and updates, and is ignored if it can't be reached. The API server has pruned the object and
filled in the schema's defaults by then, and compares it with the schema only afterwards. So the webhook treats `cpu` as left open, and a
value that doesn't fit its Go types is refused in Go's words. Source: LLMKube v0.9.19, config/webhook/manifests.yaml and api/v1alpha1;
measured.
"""

from __future__ import annotations

from typing import Final

from tests.llmkube.go_structs import Slice, Struct, mismatch
from weighbridge.policies.apiserver.refusal import Refusal, bad_request
from weighbridge.policies.ground.fields import flag, part, text
from weighbridge.policies.ground.objects import JSONObject

MODEL_WEBHOOK: Final = "mmodel.inference.llmkube.dev"
#: The accelerator for a GPU runtime; other runtimes leave it as it is.
_ACCELERATORS: Final = {"vulkan": "vulkan", "rocm": "rocm"}
_UNSET: Final = ("", "cpu")

_TEXTS: Final = Slice("string")
_TOLERATION: Final = Struct(
    "v1", "Toleration", {"key": "string", "operator": "string", "value": "string", "effect": "string", "tolerationSeconds": "int64"}
)
_RESOURCE_CLAIM: Final = Struct(
    "v1", "PodResourceClaim", {"name": "string", "resourceClaimName": "string", "resourceClaimTemplateName": "string"}
)
_GPU: Final = Struct(
    "v1alpha1",
    "GPUSpec",
    {
        "enabled": "bool",
        "count": "int32",
        "layers": "int32",
        "memory": "string",
        "vendor": "string",
        "runtime": "string",
        "resourceName": "string",
        "tolerationKey": "string",
        "sharding": Struct("v1alpha1", "GPUShardingSpec", {"strategy": "string", "layerSplit": _TEXTS}),
        "resourceClaims": Slice(_RESOURCE_CLAIM),
    },
)
_HARDWARE: Final = Struct(
    "v1alpha1", "HardwareSpec", {"accelerator": "string", "memoryBudget": "string", "memoryFraction": "float64", "gpu": _GPU}
)
_SPEC: Final = Struct(
    "v1alpha1",
    "ModelSpec",
    {
        "source": "string",
        "sourceSecretRef": Struct("v1", "LocalObjectReference", {"name": "string"}),
        "sha256": "string",
        "refreshPolicy": "string",
        "prefetch": "bool",
        "prefetchTolerations": Slice(_TOLERATION),
        "format": "string",
        "quantization": "string",
        "mmproj": "string",
        "files": _TEXTS,
        "hardware": _HARDWARE,
        "resources": Struct("v1alpha1", "ResourceRequirements", {"cpu": "string", "memory": "string"}),
    },
)
_MODEL: Final = Struct("v1alpha1", "Model", {"spec": _SPEC})


def model_refusal(model: JSONObject) -> Refusal | None:
    """The webhook's answer to a spec that it can't read; `None` if it can."""
    message = mismatch(model, _MODEL)
    return bad_request(f'admission webhook "{MODEL_WEBHOOK}" denied the request: {message}') if message else None


def defaulted_model(model: JSONObject) -> JSONObject:
    """The Model after the webhook: unchanged, or a copy with the accelerator that belongs to its GPU's runtime."""
    hardware = part(model, "spec", "hardware")
    gpu = part(hardware, "gpu")
    accelerator = _ACCELERATORS.get(text(gpu, "runtime"))
    if accelerator is None or not flag(gpu, "enabled") or text(hardware, "accelerator").strip().lower() not in _UNSET:
        return model
    return {**model, "spec": {**part(model, "spec"), "hardware": {**hardware, "accelerator": accelerator}}}

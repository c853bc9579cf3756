"""The operator's objections to how a service shares GPUs.

The quota webhook refuses the service at admission if it is installed. Otherwise the reconcile refuses it: phase Failed. Each puts its own
prefix before the message.
Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go (resolveGPUSharing) and inferenceservice_quota_webhook.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus, pod_gpus
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject

EXCLUSIVE: Final = "exclusive"
#: MIG profiles, such as ``1g.24gb``.
_PROFILE: Final = expression(r"[0-9]+g\.[0-9]+gb", re.ASCII)
_NO_POOL: Final = (
    "gpuSharing mode shared requires a configured shared pool: set gpuSharing.pools.shared.nodeSelector in the chart "
    "(operator flag --gpu-sharing-shared-pool-selector), or use mode exclusive"
)
#: The fields that split a model over several GPUs, by their block.
_SPLITS: Final = (
    ("vllmConfig", "tensorParallelSize"),
    ("sglangConfig", "tensorParallelSize"),
    ("sglangConfig", "expertParallelSize"),
    ("sglangConfig", "dataParallelSize"),
)


def problem(model: JSONObject | None, service: JSONObject, operator: KnownOperator, gpus: PodGpus | None = None) -> str:
    """The operator's objection to the service's `gpuSharing`; empty if it has none.

    A Model that isn't known has no hardware. `gpus` are the pod's GPUs, if the caller knows them.
    """
    gpus = gpus or pod_gpus(model, service, operator)
    if gpus.sharing == EXCLUSIVE:
        return ""
    if gpus.count != 1:
        return f"gpuSharing mode {quote(gpus.sharing)} requires exactly 1 GPU, got {gpus.count} (tensor parallelism needs mode exclusive)"
    if gpus.claims:
        detail = "(DRA claims own device placement)"
        return f"gpuSharing mode {quote(gpus.sharing)} cannot be combined with hardware.gpu.resourceClaims {detail}"
    if gpus.sharing == "partitioned":
        return _partition_problem(model, gpus.vendor, gpus.profile)
    if gpus.sharing == "shared":
        return "" if gpus.vendor == "amd" or operator.shared_pool_selector else _NO_POOL
    return f"unknown gpuSharing mode {quote(gpus.sharing)}"


def _partition_problem(model: JSONObject | None, vendor: str, profile: str) -> str:
    if vendor != "nvidia":
        return f"gpuSharing mode partitioned is not supported for GPU vendor {quote(vendor)} (NVIDIA MIG only today)"
    override = text(part(spec_of(model), "hardware", "gpu"), "resourceName").strip()
    if override:
        decided = "the partition profile already determines the resource name; remove one"
        return f"gpuSharing mode partitioned conflicts with hardware.gpu.resourceName {quote(override)}: {decided}"
    if not _PROFILE.fullmatch(profile.strip()):
        return f'gpuSharing.profile {quote(profile.strip())} is not a valid MIG profile (expected e.g. "1g.24gb")'
    return ""


def split_problem(service: JSONObject, operator: KnownOperator) -> str:
    """The webhook's objection to a service that uses a part of a GPU and splits its model over several; empty if it has none."""
    spec = spec_of(service)
    mode = text(part(spec, "resources", "gpuSharing"), "mode") or EXCLUSIVE
    if mode == EXCLUSIVE or not operator.since(0, 9, 9):
        return ""
    for block, field in _SPLITS:
        if whole(part(spec, block), field) > 1:
            return f"gpuSharing mode {quote(mode)} cannot use {block}.{field} > 1 (parallelism needs mode exclusive)"
    return ""

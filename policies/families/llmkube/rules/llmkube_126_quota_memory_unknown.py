"""A GPUQuota caps GPU memory, and nothing says how much a service takes.

Under `vramBytes` every service has to have a known amount: a partition's profile, a shared GPU's `memoryLimitGiB` (else
the Model's `gpu.memory`), or for whole GPUs the operator's --gpu-sharing-vram-per-device-gib; while that isn't set, even
a service without any GPU counts as unknown. Where the quota webhook is installed it refuses the service and so does
this; elsewhere this warns.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go and gpu_sharing.go; measured.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.upstream.quota_webhook import Limit, excesses, has_quotas
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import name_of, namespace_of


@objects.error(
    kinds=("InferenceService",),
    mirrors="vinferenceservicequota.inference.llmkube.dev",
    reads=("Deployment.apps", "GPUQuota", "Model", "Namespace"),
    good="warns-above-a-quota-without-webhook",
    bad="refuses-memory-that-nobody-knows",
)
def check(given: Given) -> Said:
    service = given.object
    if not has_quotas(given.facts):
        return
    operator = operator_for(*given)
    if not operator.since(0, 9, 6):
        return
    severity = Severity.ERROR if operator.quota_webhook else Severity.WARNING
    for excess in excesses(
        service, given.request.namespace or namespace_of(service), given.facts, operator, frozenset({Limit.MEMORY_UNKNOWN})
    ):
        finding = Violation(
            ("spec", "resources"),
            f"GPUQuota {name_of(excess.quota)} limits vramBytes, but the GPU memory of this service isn't known",
            hint="set gpuSharing.memoryLimitGiB (mode shared), or --gpu-sharing-vram-per-device-gib of the operator (whole GPUs)",
        )
        yield replace(finding, severity=severity)

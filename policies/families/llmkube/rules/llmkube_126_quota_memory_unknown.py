"""A GPUQuota caps GPU memory, but the amount that a service takes isn't known.

With `vramBytes` the amount of every service must be known: from the profile of a partition, from `memoryLimitGiB` of a
shared GPU (else the Model's `gpu.memory`), or for whole GPUs from the operator's --gpu-sharing-vram-per-device-gib. If
that flag isn't set, even a service without a GPU counts as unknown. If the quota webhook is installed, it refuses the
service, and so does this rule; otherwise the rule warns.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; internal/controller/gpu_sharing.go;
measured.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Severity, Violation, name_of, services
from weighbridge.policies.families.llmkube.rules._quotas import quota_excesses
from weighbridge.policies.families.llmkube.upstream.quota_webhook import WEBHOOK, Limit


@services.error(
    topic="Services: GPUQuotas",
    mirrors=WEBHOOK,
    reads=("Deployment.apps", "GPUQuota", "Model", "Namespace"),
    good="accepts-memory-that-the-operator-knows",
    bad="refuses-unknown-memory-under-a-quota",
)
def check(service: Service) -> Said:
    for excess in quota_excesses(service, Limit.MEMORY_UNKNOWN):
        yield Violation(
            ("spec", "resources"),
            f"GPUQuota {name_of(excess.quota)} limits vramBytes, but the GPU memory of this service isn't known",
            hint="set gpuSharing.memoryLimitGiB (mode shared), or --gpu-sharing-vram-per-device-gib of the operator (whole GPUs)",
            severity=None if service.operator.quota_webhook else Severity.WARNING,
        )

"""A GPUQuota allows less than its services already take.

The running services aren't stopped. But no service in the quota's scope can be created or changed until enough of them
are gone. While the sum is above the quota, a service can't even be made smaller.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; internal/webhook/quota/decision.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.predictions.quota import status_usage
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, quotas, whole

_HINT: Final = "services of this scope can't be changed while they take more than the quota allows"


@quotas.warning(
    topic="GPUQuotas",
    reads=("Deployment.apps", "InferenceService", "Model", "Namespace"),
    good="accepts-a-quota-above-what-is-taken",
    bad="warns-of-a-quota-below-what-is-taken",
)
def check(quota: Given) -> Said:
    usage = status_usage(quota.object, quota.facts, operator_for(*quota))
    allowed, cap = whole(quota.spec, "gpuCount"), whole(quota.spec, "vramBytes")
    if usage.gpus > allowed:
        yield Violation(("spec", "gpuCount"), f"{usage.gpus} GPUs are taken already", found=str(allowed), hint=_HINT)
    if usage.vram > cap > 0:
        yield Violation(("spec", "vramBytes"), f"{usage.vram} bytes are taken already", found=str(cap), hint=_HINT)
    if usage.gpus <= allowed and not usage.is_whole:
        yield NotChecked("not all services, Models and namespaces of the cluster are known")

"""The service requests a part of a GPU, but its engine is split over several GPUs.

Tensor, expert or data parallelism above 1 needs whole GPUs. The operator's webhook refuses such a service; without the webhook
the reconcile fails.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, off_metal
from weighbridge.policies.families.llmkube.upstream import gpu_shares


@off_metal.error(
    topic="Services: GPUs and nodes",
    mirrors="webhook vinferenceservicequota",
    reads=("Deployment.apps", "Model"),
    good="skips-the-download-of-a-repository-for-vllm",
    bad="refuses-a-split-over-a-part-of-a-gpu",
)
def check(service: Service) -> Said:
    problem = gpu_shares.split_problem(service.object, service.operator)
    if problem:
        hint = "use mode exclusive, or remove the parallel size from the engine's block"
        yield Violation(("spec", "resources", "gpuSharing", "mode"), problem, hint=hint)

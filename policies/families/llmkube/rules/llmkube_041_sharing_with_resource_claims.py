"""A shared or partitioned GPU is asked for although the Model's GPUs come by resource claims.

Claims hand out devices by themselves, so there is nothing left to share: the operator refuses the service.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import gpu_shares
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services


@services.error(
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    good="refuses-a-count-beside-the-claims-of-the-model",
    bad="refuses-sharing-with-claims",
)
def check(serving: Serving) -> Said:
    if not serving.sees_gpus or serving.gpus.count != 1 or not serving.gpus.claims:
        return
    problem = gpu_shares.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        yield Violation(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            hint="remove gpuSharing, or set gpu.count of the Model instead of its resourceClaims",
        )

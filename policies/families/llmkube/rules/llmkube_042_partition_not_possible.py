"""A MIG partition is asked for that no NVIDIA device plugin serves under a name of its own.

Mode partitioned is for vendor nvidia alone, with a profile such as 1g.10gb, and it decides the resource's name by itself: a Model
with `gpu.resourceName` contradicts it. The operator refuses the service.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import gpu_shares
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services


@services.error(
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    good="accepts-the-render-group-of-the-author",
    bad="refuses-a-partition-of-an-amd-gpu",
)
def check(serving: Serving) -> Said:
    gpus = serving.gpus
    if not serving.sees_gpus or gpus.sharing != "partitioned" or gpus.count != 1 or gpus.claims:
        return
    problem = gpu_shares.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        field = "profile" if "profile" in problem and gpus.vendor == "nvidia" and "resourceName" not in problem else "mode"
        yield Violation(
            ("spec", "resources", "gpuSharing", field),
            problem,
            found=gpus.profile if field == "profile" else f"vendor {gpus.vendor}",
            expected="a profile such as 1g.10gb, vendor nvidia and no resourceName",
        )

"""A shared GPU is asked for, and the operator knows no pool of shared GPUs.

Mode shared puts pods onto the nodes that the operator's --gpu-sharing-shared-pool-selector names (chart value
gpuSharing.pools.shared.nodeSelector). Without it the operator refuses such services; AMD's are exempt. Where nothing is known of
the operator's flags this only warns.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.predictions.service import gpu_shares
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.ground.findings import Severity


@services.error(
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    good="leaves-the-cuda-image-to-the-operator",
    bad="warns-of-shared-gpus-where-nothing-is-known",
)
def check(serving: Serving) -> Said:
    if not serving.sees_gpus or serving.gpus.sharing != "shared" or serving.gpus.count != 1 or serving.gpus.claims:
        return
    problem = gpu_shares.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        finding = Violation(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            hint="use mode exclusive, or set llmkube.operator.sharedPoolSelector of the configuration to what the operator has",
        )
        yield finding if serving.operator.origins else replace(finding, severity=Severity.WARNING)

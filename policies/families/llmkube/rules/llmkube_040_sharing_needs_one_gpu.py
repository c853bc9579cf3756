"""A shared or partitioned GPU is asked for together with another number of GPUs than one.

`gpuSharing` gives the pod a part of one GPU. With two GPUs, or with none, the operator refuses the service: phase Failed, or
refused at admission where its quota webhook is installed. Ask for one GPU, or leave the mode at exclusive.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import gpu_shares
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services


@services.error(
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="refuses-a-part-of-two-gpus",
)
def check(serving: Serving) -> Said:
    if not serving.sees_gpus or serving.gpus.count == 1:
        return
    problem = gpu_shares.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        yield Violation(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            found=f"{serving.gpus.count} GPUs",
            expected="1 GPU",
            hint="set hardware.gpu.count of the Model, or resources.gpu, to 1, or use mode exclusive",
        )

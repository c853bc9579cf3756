"""The service requests a shared or partitioned GPU, but not exactly one GPU.

`gpuSharing` gives the pod a part of one GPU. With two GPUs, or with none, the service becomes Failed, or the quota webhook
refuses it if it is installed. Request one GPU, or leave the mode at exclusive.

Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, services


@services.error(
    topic="Services: GPUs and nodes",
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    good="accepts-a-part-of-one-gpu",
    bad="refuses-a-part-of-two-gpus",
)
def check(service: Service) -> Said:
    count = service.gpus.count
    if count != 1 and service.sharing_problem:
        yield Violation(
            ("spec", "resources", "gpuSharing", "mode"),
            service.sharing_problem,
            found=f"{count} GPUs",
            expected="1 GPU",
            hint="set hardware.gpu.count of the Model, or resources.gpu, to 1, or use mode exclusive",
        )

"""The service requests a MIG partition that no NVIDIA device plugin offers.

The mode partitioned is only for the vendor nvidia, and needs a profile such as 1g.10gb. It determines the resource's name, so a
Model with `gpu.resourceName` contradicts it. The operator refuses the service.

Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, services


@services.error(
    topic="Services: GPUs and nodes",
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    good="accepts-the-render-group-of-the-author",
    bad="refuses-a-partition-of-an-amd-gpu",
)
def check(service: Service) -> Said:
    gpus, problem = service.gpus, service.sharing_problem
    if gpus.sharing == "partitioned" and gpus.count == 1 and not gpus.claims and problem:
        is_profile = "profile" in problem and gpus.vendor == "nvidia" and "resourceName" not in problem
        yield Violation(
            ("spec", "resources", "gpuSharing", "profile" if is_profile else "mode"),
            problem,
            found=gpus.profile if is_profile else f"vendor {gpus.vendor}",
            expected="a profile such as 1g.10gb, vendor nvidia and no resourceName",
        )

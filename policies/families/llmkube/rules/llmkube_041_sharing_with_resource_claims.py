"""The service requests a shared or partitioned GPU, but the Model claims its GPUs.

Resource claims allocate devices themselves, so there is nothing to share: the operator refuses the service. Remove
`gpuSharing`, or count GPUs in the Model instead of claiming them.

Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, services


@services.error(
    topic="Services: GPUs and nodes",
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    good="fills-the-cuda-image-for-claims",
    bad="refuses-sharing-with-claims",
)
def check(service: Service) -> Said:
    gpus = service.gpus
    if gpus.count == 1 and gpus.claims and service.sharing_problem:
        yield Violation(
            ("spec", "resources", "gpuSharing", "mode"),
            service.sharing_problem,
            hint="remove gpuSharing, or set gpu.count of the Model instead of its resourceClaims",
        )

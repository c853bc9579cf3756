"""The service requests a shared GPU, but the operator has no pool of shared GPUs.

With the mode shared the operator places pods on the nodes that its flag --gpu-sharing-shared-pool-selector selects (chart value
gpuSharing.pools.shared.nodeSelector). Without the flag the operator refuses such services, except those on AMD GPUs. If nothing
is known of the operator's flags, the rule only warns.

Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Severity, Violation, services


@services.error(
    topic="Services: GPUs and nodes",
    about=FAILURE,
    mirrors="phase Failed, invalid gpuSharing",
    good="accepts-an-exclusive-gpu",
    bad="warns-of-shared-gpus-where-nothing-is-known",
)
def check(service: Service) -> Said:
    gpus = service.gpus
    if gpus.sharing == "shared" and gpus.count == 1 and not gpus.claims and service.sharing_problem:
        yield Violation(
            ("spec", "resources", "gpuSharing", "mode"),
            service.sharing_problem,
            hint="use mode exclusive, or set llmkube.operator.sharedPoolSelector of the configuration to what the operator has",
            severity=None if service.operator.origins else Severity.WARNING,
        )

"""A Model counts GPUs and claims them, so its pod requests both.

If `gpu.count` is above 0, the operator adds the device plugin's resource to the container, even if `resourceClaims`
already give it devices. The pod then holds twice the hardware, or stays Pending if the plugin isn't installed. Remove
the count: the claims replace it.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models


@gpu_models.error(topic="Models: GPUs and their memory", good="leaves-claims-alone", bad="refuses-a-count-with-claims")
def check(model: Model) -> Said:
    gpu = model.gpu
    if gpu.count > 0 and gpu.claims:
        yield Violation(
            ("spec", "hardware", "gpu", "count"),
            f"the pod will request {gpu.count} {gpu.resource} in addition to its {len(gpu.claims)} resourceClaims",
            found=str(gpu.count),
            expected="no count, or 0, where claims are used",
            hint="remove count, or remove resourceClaims",
        )

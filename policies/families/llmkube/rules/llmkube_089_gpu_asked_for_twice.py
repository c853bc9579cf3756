"""The service requests a number of GPUs, and its Model already claims GPUs with ResourceClaims.

The pod requests both, the claims' devices and the counted GPUs, and the engine uses only one kind of them at best. Remove one of the two.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, name_of, with_model


@with_model.error(
    topic="Services: GPUs and nodes", good="fills-the-cuda-image-for-claims", bad="refuses-a-count-with-the-claims-of-the-model"
)
def check(service: Service) -> Said:
    gpus = service.gpus
    if gpus.claims and gpus.count > 0 and gpus.count_from.startswith("InferenceService"):
        yield Violation(
            ("spec", "resources", "gpu"),
            f"the pods will request {gpus.count} {gpus.resource} in addition to the resourceClaims of Model {name_of(service.model)}",
            found=str(gpus.count),
            expected="0",
            hint="remove resources.gpu",
        )

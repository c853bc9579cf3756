"""The service requests another number of GPUs than its Model, and the operator silently uses the Model's number.

The operator uses `hardware.gpu.count` of the Model if it is above 0, and `resources.gpu` otherwise. It never compares the two.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, name_of, part, whole, with_model
from weighbridge.policies.ground.spelling import amount


@with_model.warning(
    topic="Services: GPUs and nodes", good="fills-the-cuda-image-for-a-count-of-the-service", bad="warns-of-counts-that-disagree"
)
def check(service: Service) -> Said:
    wanted, count = whole(part(service.spec, "resources"), "gpu"), service.gpus.count
    if wanted > 0 and count != wanted:
        yield Violation(
            ("spec", "resources", "gpu"),
            f"{wanted} has no effect; the pods request {amount(count, 'GPU')}, as gpu.count of Model {name_of(service.model)} says",
            found=str(wanted),
            expected=str(count),
            hint="remove resources.gpu, or give the Model the same count",
        )

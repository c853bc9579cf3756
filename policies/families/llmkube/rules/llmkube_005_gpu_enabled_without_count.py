"""A GPU is enabled, but its count is 0 and nothing is claimed, so no pod requests one.

`gpu.enabled` only chooses the CUDA image. The pod requests `gpu.count` GPUs, or the InferenceService's `resources.gpu`
if the count is 0. With neither, the CUDA image starts on a node without a GPU. If services of the Model are known, the
rule warns only of those that request no GPU.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; internal/controller/deployment_builder.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models, part, whole
from weighbridge.policies.families.llmkube.rules._services import services_where


@gpu_models.warning(
    topic="Models: GPUs and their memory", reads=("InferenceService",), good="leaves-claims-alone", bad="warns-of-an-uncounted-gpu"
)
def check(model: Model) -> Said:
    if model.gpu.count > 0 or model.gpu.claims:
        return
    names = services_where(model, lambda spec: whole(part(spec, "resources"), "gpu") <= 0)
    if names != "":
        unset = "" if names is None else f"the pods of {names} get no GPU: resources.gpu isn't set"
        yield Violation(
            ("spec", "hardware", "gpu", "count"),
            f"gpu.enabled is true but count is 0, so {unset or 'the pods get no GPU unless the InferenceService sets resources.gpu'}",
            expected="a count of at least 1, or resourceClaims",
            hint="set count to the number of GPUs per pod",
        )

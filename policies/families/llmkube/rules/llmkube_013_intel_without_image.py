"""A Model on an Intel GPU is served on the CPU unless its service names an image.

For vendor intel the operator has no image of its own: llama.cpp gets its stock CPU image, whatever `gpu.runtime` says,
so the pod's GPU stays idle. Only the InferenceService can change that, with `spec.image` (upstream publishes
`llama.cpp:server-intel`, SYCL). A service that leaves its image open is given that one on its way in, so this warns of
services that are already there, and of those that come past the webhook. Where services of the Model are known, it warns
only of those that start llama.cpp and set no image.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models
from weighbridge.policies.families.llmkube.rules._services import where_the_image_is_open


@gpu_models.warning(reads=("InferenceService",), good="fills-rocm-and-the-render-device", bad="fills-the-intel-resource")
def check(model: Model) -> Said:
    where = where_the_image_is_open(model) if model.gpu.vendor == "intel" else ""
    if where:
        yield Violation(
            ("spec", "hardware", "gpu", "vendor"),
            f"llama.cpp runs its CPU image on vendor intel {where}",
            found="intel",
            hint="set spec.image of the InferenceService; if it is empty, the webhook sets ghcr.io/ggml-org/llama.cpp:server-intel",
        )

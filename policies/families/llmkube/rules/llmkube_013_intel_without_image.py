"""A Model on an Intel GPU is served on the CPU unless its service names an image.

The operator has no image for the vendor intel. It starts the stock CPU image of llama.cpp, whatever `gpu.runtime` is, so
the pod's GPU stays idle. Only the InferenceService can change that, with `spec.image` (upstream publishes
`llama.cpp:server-intel`, SYCL). Weighbridge fills in that image if a service has none. So the rule warns of services
that exist already, and of those that bypass the webhook. If services of the Model are known, it warns only of those that
start llama.cpp and set no image.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models
from weighbridge.policies.families.llmkube.rules._services import where_the_image_is_open


@gpu_models.warning(
    topic="Models: GPUs and their memory",
    reads=("InferenceService",),
    good="fills-rocm-and-the-render-device",
    bad="fills-the-intel-resource",
)
def check(model: Model) -> Said:
    where = where_the_image_is_open(model) if model.gpu.vendor == "intel" else ""
    if where:
        yield Violation(
            ("spec", "hardware", "gpu", "vendor"),
            f"llama.cpp runs its CPU image on vendor intel {where}",
            found="intel",
            hint="set spec.image of the InferenceService; if it is empty, the webhook sets ghcr.io/ggml-org/llama.cpp:server-intel",
        )

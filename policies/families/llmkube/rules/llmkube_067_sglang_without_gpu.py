"""SGLang is started without a GPU.

Its image is built for GPUs; without one the engine doesn't start, or crawls. Give the Model a GPU, or serve it with llama.cpp.

Source: LLMKube v0.9.19 internal/controller/runtime_sglang.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.objects import name_of


@services.warning(
    reads=("Deployment.apps", "Model"),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="warns-of-sglang-without-a-gpu",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is not None and serving.runtime == "sglang" and not serving.gpus.present and not serving.has_own_image:
        yield Violation(
            ("spec", "runtime"),
            f"sglang gets no GPU; neither Model {name_of(serving.model)} nor resources.gpu asks for one",
            found="sglang",
            hint="set hardware.gpu.count of the Model",
        )

"""The Model switches a GPU on, and neither it nor the service says how many.

`gpu.enabled` without a count chooses the CUDA image and asks for no device: the pod lands on any node and computes on the CPU, if
it starts at all.

Source: LLMKube v0.9.19 pkg/apiutil/gpu.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.objects import name_of


@services.warning(
    reads=("Deployment.apps", "Model"),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="warns-of-a-gpu-that-is-switched-on-and-not-counted",
)
def check(serving: Serving) -> Said:
    gpus = serving.gpus
    if serving.pod_model is not None and gpus.enabled and not gpus.present:
        yield Violation(
            ("spec", "resources", "gpu"),
            f"isn't set, and Model {name_of(serving.model)} has gpu.enabled without a count, so the pods get no GPU",
            expected="1 or more",
            hint=f"set gpu.count in Model {name_of(serving.model)}, or resources.gpu here",
        )

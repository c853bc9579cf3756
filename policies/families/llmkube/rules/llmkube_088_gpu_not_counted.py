"""The Model enables a GPU, but neither the Model nor the service sets a count.

With `gpu.enabled` and no count the operator chooses the CUDA image, but the pod requests no device. It is scheduled to any node
and computes on the CPU, if it starts at all.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, name_of, with_model


@with_model.warning(
    topic="Services: GPUs and nodes", good="accepts-a-gpu-with-its-count", bad="warns-of-a-gpu-that-is-switched-on-and-not-counted"
)
def check(service: Service) -> Said:
    model = name_of(service.model)
    if service.gpus.enabled and not service.gpus.present:
        yield Violation(
            ("spec", "resources", "gpu"),
            f"isn't set, and Model {model} has gpu.enabled without a count, so the pods get no GPU",
            expected="1 or more",
            hint=f"set gpu.count in Model {model}, or resources.gpu here",
        )

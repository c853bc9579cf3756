"""SGLang is started without a GPU.

Its image is built for GPUs. Without one the engine doesn't start, or is very slow. Give the Model a GPU, or serve it with
llama.cpp.

Source: LLMKube v0.9.19, internal/controller/runtime_sglang.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, name_of, with_model


@with_model.warning(topic="Services: GPUs and nodes", good="accepts-sglang-with-a-gpu", bad="warns-of-sglang-without-a-gpu")
def check(service: Service) -> Said:
    if service.runtime == "sglang" and not service.gpus.present and not service.has_own_image:
        yield Violation(
            ("spec", "runtime"),
            f"sglang gets no GPU; neither Model {name_of(service.model)} nor resources.gpu requests one",
            found="sglang",
            hint="set hardware.gpu.count of the Model",
        )

"""The operator's objection to a model that is split over more GPUs than the pod has.

It reads `vllmConfig` and `sglangConfig` whatever the runtime is, and objects to nothing if no GPU is counted.
Source: LLMKube v0.9.13 to v0.9.19, internal/controller/gpu_sharing.go (parallelismExceedsGPUCount).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus, pod_gpus
from weighbridge.policies.ground.fields import part, whole
from weighbridge.policies.ground.objects import JSONObject

_NEVER: Final = "multi-node inference is not supported, so the pod can never start."


def problem(model: JSONObject | None, service: JSONObject, operator: KnownOperator, gpus: PodGpus | None = None) -> str:
    """The operator's objection to the service's parallelism; empty if it has none.

    `gpus` are the pod's GPUs, if the caller knows them.
    """
    count = (gpus or pod_gpus(model, service, operator)).count
    if count <= 0 or not operator.since(0, 9, 13):
        return ""
    spec = spec_of(service)
    tensor = whole(part(spec, "vllmConfig"), "tensorParallelSize")
    if tensor > count:
        return (
            f"vllmConfig.tensorParallelSize {tensor} exceeds the {count} GPU(s) this pod requests "
            f"(model hardware.gpu.count / resources.gpu); {_NEVER} "
            "Lower tensorParallelSize, remove it to auto-match the GPU count, or request more GPUs"
        )
    return _sglang_problem(part(spec, "sglangConfig"), count)


def _sglang_problem(config: JSONObject, count: int) -> str:
    tensor, data, expert = (max(whole(config, f"{kind}ParallelSize"), 1) for kind in ("tensor", "data", "expert"))
    if tensor * data > count:
        return (
            f"sglangConfig tensorParallelSize x dataParallelSize ({tensor} x {data}) needs {tensor * data} GPUs "
            f"but this pod requests {count}; {_NEVER} Lower the sizes, remove them to auto-match the GPU count, or request more GPUs"
        )
    if expert > count:
        # Only the last words of this message are known from the operator; the first are written like those of the other two.
        return (
            f"sglangConfig.expertParallelSize {expert} exceeds the {count} GPU(s) this pod requests; "
            "expert parallelism cannot exceed the pod's world size"
        )
    return ""

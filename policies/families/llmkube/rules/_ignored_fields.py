"""The fields of an InferenceService that have no effect with its engine and its GPUs.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go and runtime_*.go, as recorded of their pods.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import Path, name_of

Ignored: TypeAlias = tuple[Path, str]

#: The field that other engines read in place of `contextSize`.
_CONTEXT: Final = {"vllm": "vllmConfig.maxModelLen", "sglang": "sglangConfig.contextLength", "tgi": "tgiConfig.maxTotalTokens"}
#: The fields that only llama.cpp reads, apart from those of other rules.
_LLAMACPP_ALONE: Final = (
    "ropeScaling", "flashAttention", "jinja", "cacheTypeK", "cacheTypeV", "cacheTypeCustomK", "cacheTypeCustomV", "moeCPUOffload",
    "moeCPULayers", "noKvOffload", "tensorOverrides", "metadataOverrides", "batchSize", "uBatchSize", "noWarmup", "reasoningBudget",
)  # fmt: skip
#: Fields that reach no engine in a pod.
_NEVER: Final = ("turboQuantBits", "hotCacheMaxSize")
#: Settings that are passed on only if GPUs are counted.
_COUNTED: Final = (
    ("vllm", "vllmConfig", "cpuOffloadGB"),
    ("vllm", "vllmConfig", "gpuMemoryUtilization"),
    ("sglang", "sglangConfig", "memFractionStatic"),
)


def misplaced_fields(service: Service) -> Iterator[Ignored]:
    """The fields that this engine doesn't read and for which it has another, with the reason of each."""
    runtime, spec = service.runtime, service.spec
    if service.is_metal:
        return
    if runtime == "generic" and spec.get("extraArgs"):
        yield ("spec", "extraArgs"), f"has no effect on runtime {runtime}; use args"
    if runtime != "generic" and spec.get("args"):
        yield ("spec", "args"), f"has no effect on runtime {runtime}; use extraArgs"
    if runtime in _CONTEXT and spec.get("contextSize"):
        yield ("spec", "contextSize"), f"has no effect on runtime {runtime}; use {_CONTEXT[runtime]}"


def ignored_fields(service: Service) -> Iterator[Ignored]:
    """The other fields that are set and have no effect, with the reason of each."""
    if part(service.spec, "resources").get("gpuMemory"):
        yield ("spec", "resources", "gpuMemory"), "has no effect, since nothing reserves GPU memory; remove it"
    if service.is_metal:
        if isinstance(service.spec.get("autoscaling"), dict):
            yield ("spec", "autoscaling"), "has no effect with accelerator metal, which runs no pods; remove it"
        return
    yield from _of_the_engine(service)
    yield from _of_the_model(service)
    yield from _without_gpu(service)
    yield from _of_the_service(service)


def _of_the_engine(service: Service) -> Iterator[Ignored]:
    runtime, spec = service.runtime, service.spec
    if runtime == "personaplex" and spec.get("extraArgs"):
        yield ("spec", "extraArgs"), f"has no effect on runtime {runtime}; remove it"
    if runtime not in {"llamacpp", *_CONTEXT} and spec.get("contextSize"):
        yield ("spec", "contextSize"), f"has no effect on runtime {runtime}; remove it"
    if runtime not in {"llamacpp", "vllm"} and spec.get("parallelSlots"):
        yield ("spec", "parallelSlots"), f"has no effect on runtime {runtime}; remove it"
    for field in service.names(*_LLAMACPP_ALONE) if runtime != "llamacpp" else ():
        yield ("spec", field), f"has no effect on runtime {runtime}; only llama.cpp reads it"
    for field in service.names(*_NEVER):
        yield ("spec", field), "has no effect on a pod; only runtimes of the Metal agent read it"
    if text(spec, "reasoningBudgetMessage") and "reasoningBudget" not in spec:
        yield ("spec", "reasoningBudgetMessage"), "has no effect without reasoningBudget"


def _of_the_model(service: Service) -> Iterator[Ignored]:
    """The fields of the Model that only llama.cpp reads."""
    spec, name, runtime = spec_of(service.model), name_of(service.model), service.runtime
    if runtime == "llamacpp":
        return
    if text(spec, "mmproj"):
        yield ("spec", "modelRef"), f"mmproj of Model {name} has no effect on runtime {runtime}"
    if part(spec, "hardware", "gpu", "sharding") and service.gpus.count > 1:
        yield ("spec", "modelRef"), f"gpu.sharding of Model {name} has no effect on runtime {runtime}"


def _without_gpu(service: Service) -> Iterator[Ignored]:
    if service.spec.get("flashAttention") is True and service.runtime == "llamacpp" and not service.gpus.present:
        yield ("spec", "flashAttention"), "has no effect without a GPU; remove it"
    for runtime, block, field in _COUNTED:
        if service.runtime == runtime and service.gpus.count <= 0 and part(service.spec, block).get(field):
            yield ("spec", block, field), "has no effect, since no GPU is counted; remove it"


def _of_the_service(service: Service) -> Iterator[Ignored]:
    endpoint = part(service.spec, "endpoint")
    if whole(endpoint, "nodePort") and text(endpoint, "type") != "NodePort":
        yield ("spec", "endpoint", "nodePort"), f"has no effect on type {text(endpoint, 'type') or 'ClusterIP'}; remove it"
    if isinstance(service.spec.get("autoscaling"), dict) and whole(service.spec, "replicas", 1) > 1:
        yield ("spec", "replicas"), "has no effect, since the autoscaler sets the number of pods; remove it"

"""Weights or caches are kept in the node's memory, but the pod requests no memory.

With `moeCPUOffload` or `noKvOffload` a pod takes up to the model's size of the node's memory. Without `resources.memory` or
`hostMemory` the scheduler doesn't count it, and the node may run out of memory.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_args.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, with_model
from weighbridge.policies.families.llmkube.rules._events import warned

_HINT = "set resources.memory to at least the model's size"


@with_model.warning(
    topic="Services: engines and their settings",
    mirrors="event MissingMemoryRequest",
    reads=PREDICTED,
    good="accepts-offloading-with-memory",
    bad="warns-of-offloading-without-memory",
)
def check(service: Service) -> Said:
    if service.names("moeCPUOffload", "noKvOffload"):
        yield from warned(service.launch.warnings, "MissingMemoryRequest", ("spec", "resources", "memory"), hint=_HINT)

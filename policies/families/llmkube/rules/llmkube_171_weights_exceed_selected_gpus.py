"""The weights need more memory than the GPUs have on the nodes that the service selects.

A cluster with an 80 GB and a 16 GB GPU has room for a model of 70 billion parameters at 4 bits, but not on every node that
`nodeSelector` may choose. The rule computes the size of the weights as LLMKUBE-035 does. It counts the GPUs that the engine's command
line uses, and a `quantization` that the engine does itself. The rule is silent if a part of the model stays on the CPU.

Source: LLMKube v0.9.19, internal/controller, which has no such check for pods.
"""

from typing import Final

from weighbridge.policies.facts.accelerators.memory import most_memory
from weighbridge.policies.facts.accelerators.units import known_units
from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, part, spec_of, with_model
from weighbridge.policies.families.llmkube.rules._gpu_memory import memory_on, most_memory_for
from weighbridge.policies.families.llmkube.subject.gpu import gpu_count
from weighbridge.policies.families.llmkube.subject.weights import weights
from weighbridge.policies.families.serving_engines.command_line import CommandLine
from weighbridge.policies.families.weights import GIB

#: Bits per weight by the ways in which engines quantize weights while they load them.
_QUANTIZES: Final = {
    "fp8": 8.0,
    "bitsandbytes": 8.0,
    "bitsandbytes-nf4": 4.0,
    "bitsandbytes-fp4": 4.0,
    "eetq": 8.0,
    "mxfp4": 4.3,
    "nvfp4": 4.5,
}
#: More layers than any model has, as the operator writes it.
_ALL_LAYERS: Final = 99
#: The flags that leave a part of the model to the CPU.
_TO_CPU: Final = frozenset(
    {"--cpu-moe", "--n-cpu-moe", "--override-tensor", "--n-cpu-ffn", "--cpu-offload-gb", "--offload-backend", "--offload-group-size"}
)


@with_model.warning(
    topic="Services: GPUs and nodes",
    reads=PREDICTED,
    good="accepts-weights-with-layers-on-the-cpu",
    bad="warns-of-weights-on-the-selected-node",
)
def check(service: Service) -> Said:
    model, gpus, inventory = service.model or {}, service.gpus, service.facts.inventory
    needed = weights(model) if gpus.count > 0 and inventory is not None else None
    if inventory is None or needed is None or service.line is None or _goes_to_cpu(service.line):
        return
    quantization = service.line.final("quantization")
    if quantization is not None:
        needed = weights(model, _QUANTIZES.get(quantization.value, 0.0))
    used = _used(service, service.line)
    most = most_memory_for(service, used) if needed is not None else None
    if needed is None or most is None:
        return
    node, size = most
    if needed.size <= size or _is_said_of_the_model(service, needed.size, size, used):
        return
    said = f"{node.name}{node.product_note(gpus.resource)} has most: {size / GIB:.1f} GiB on {used} {gpus.resource}"
    more = "count more of them, or " if known_units(inventory, node, gpus.resource) is None else "or with GPUs that aren't shared, or "
    chosen = "of the nodes that could run the pods, " if len(inventory) > 1 else ""
    yield Violation(
        ("spec", "nodeSelector") if service.spec.get("nodeSelector") else ("spec", "modelRef"),
        f"the weights need {needed.shown}; {chosen}{said}",
        found=f"{used} GPU" if used == 1 else f"{used} GPUs",
        expected=f"at least {-(-needed.size // memory_on(node, gpus, inventory, 1))} of these GPUs",
        hint=f"select nodes with larger GPUs, {more}take a smaller quantization",
    )


def _used(service: Service, line: CommandLine) -> int:
    """The number of the pod's GPUs that hold weights."""
    split, count = line.final("split"), service.gpus.count
    if split is not None and split.value == "none":
        return 1
    return min(service.sizes.gpus, count) if service.sizes is not None else count


def _goes_to_cpu(line: CommandLine) -> bool:
    """Whether a part of the model stays on the CPU, or may do so."""
    layers = line.final("gpu layers")
    if line.table.named("gpu layers") is not None and (layers is None or not _is_all(layers.value)):
        return True
    return any(flag.flag.name in _TO_CPU and flag.value != "0" for flag in line.given)


def _is_all(layers: str) -> bool:
    return layers == "all" or (layers.isdecimal() and int(layers) >= _ALL_LAYERS)


def _is_said_of_the_model(service: Service, needed: int, size: int, used: int) -> bool:
    """Whether LLMKUBE-035 warns of the Model already, since no node of the cluster has enough for the Model's own count."""
    gpus, inventory = service.gpus, service.facts.inventory
    count, _ = gpu_count(part(spec_of(service.model), "hardware", "gpu"), {})
    if inventory is None or count <= 0 or gpus.profile:
        return False
    most = most_memory(inventory, gpus.resource, count)
    return most is not None and most.size < needed and most.size * used == size * count

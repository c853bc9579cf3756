"""A pod has more GPUs than its engine uses.

By default the operator splits vLLM, SGLang and TGI over all GPUs of the pod. With a smaller size in `vllmConfig`,
`sglangConfig`, `tgiConfig` or `extraArgs` some GPUs are held and idle. Shares of one GPU, as the nodes' labels show
them, count as one. Pipeline and data parallel sizes count too. Remove the size, raise it, or request fewer GPUs.

Source: LLMKube v0.9.19, internal/controller/runtime_vllm.go; vLLM 0.25.1, vllm/config/parallel.py.
"""

from weighbridge.policies.facts.accelerators.units import most_devices
from weighbridge.policies.families.llmkube.predictions.own_arguments import place
from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, with_model


@with_model.warning(
    topic="Services: GPUs and nodes",
    reads=tuple(sorted({*PREDICTED, "Node"})),
    good="accepts-all-gpus-in-stages",
    bad="warns-of-half-the-gpus-in-vllm-s-settings",
)
def check(service: Service) -> Said:
    gpus, found = service.gpus, service.started
    sizes = service.sizes
    if found is None or sizes is None or gpus.sharing != "exclusive" or not 0 < sizes.gpus < gpus.count:
        return
    if sizes.gpus < most_devices(service.facts.inventory, gpus.resource, gpus.count):
        yield Violation(
            place(found, sizes.last.at),
            f"the pod has {gpus.held}, and {sizes.words} makes {found.table.engine} compute on {sizes.gpus}",
            found=str(sizes.gpus),
            expected=str(gpus.count),
            hint=f"remove the size for all of the pod's GPUs, or count {sizes.gpus}",
        )

"""A pod has more GPUs than its engine computes on.

The operator gives vLLM, SGLang and TGI all GPUs of the pod unless a size is written. A size below that, in `vllmConfig`, `sglangConfig`,
`tgiConfig` or `extraArgs`, leaves GPUs held and idle. Pipeline and data parallel sizes count too. Leave the size open,
raise it, or count fewer GPUs.

Source: LLMKube v0.9.19, internal/controller/runtime_vllm.go; vLLM 0.25.1, vllm/config/parallel.py.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, with_model
from weighbridge.policies.families.llmkube.subject.arguments import place
from weighbridge.policies.families.serving_engines.parallelism import parallel_sizes


@with_model.warning(
    reads=PREDICTED,
    good="accepts-all-gpus-in-stages",
    bad="warns-of-half-the-gpus-in-vllm-s-settings",
)
def check(service: Service) -> Said:
    gpus, found = service.gpus, service.started
    sizes = parallel_sizes(found.line) if found is not None else None
    if found is not None and sizes is not None and gpus.sharing == "exclusive" and 0 < sizes.gpus < gpus.count:
        yield Violation(
            place(found, sizes.last.at),
            f"the pod has {gpus.held}, and {sizes.words} makes {found.table.engine} compute on {sizes.gpus}",
            found=str(sizes.gpus),
            expected=str(gpus.count),
            hint=f"remove the size for all of the pod's GPUs, or count {sizes.gpus}",
        )

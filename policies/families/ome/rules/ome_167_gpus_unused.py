"""A pod has more GPUs than its engine computes on.

vLLM and SGLang take one GPU unless a tensor, pipeline or data parallel size says more; llama.cpp and TGI take all that they find. The pod
holds the rest of its GPUs, and they are idle. Shares of one GPU, as the labels of nodes show them, count as one. Write the size, or ask
for fewer GPUs. The rule judges what the merge of service and runtime gives.

Source: vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15, python/sglang/srt/server_args.py.
"""

from collections.abc import Sequence

from weighbridge.policies.families.ome.rulebook import WORKLOAD_READS, Given, Said, StartedEngine, engines
from weighbridge.policies.families.serving_engines.faults import gpus_idle, gpus_of


@engines.warning(
    reads=tuple(sorted({*WORKLOAD_READS, "Node"})),
    good="accepts-an-image-for-the-gpu",
    bad="warns-of-gpus-that-the-engine-never-uses",
)
def check(containers: Sequence[StartedEngine], given: Given) -> Said:
    for one in containers:
        gpus = gpus_of(one.container)
        if one.started is None or one.is_group or gpus is None:
            continue
        for fault in gpus_idle(one.started, gpus[1], gpus[0], inventory=given.facts.inventory):
            yield fault.violation(one.path(*fault.place) if fault.place else one.command_line)

"""A pod has more GPUs than its engine uses.

vLLM and SGLang use one GPU unless a tensor, pipeline or data parallel size is larger; llama.cpp and TGI use all GPUs that they find. The
pod holds its other GPUs, and they are idle. Shares of one GPU, as the nodes' labels show them, count as one. Write the size, or request
fewer GPUs. The rule judges a service as OME merges it with its runtime.

Source: vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15, python/sglang/srt/server_args.py.
"""

from collections.abc import Sequence

from weighbridge.policies.families.ome.rulebook import WORKLOAD_READS, Given, Said, StartedEngine, engines
from weighbridge.policies.families.serving_engines.faults import gpus_idle, gpus_of


@engines.warning(
    reads=tuple(sorted({*WORKLOAD_READS, "Node"})),
    good="accepts-gpus-that-the-engine-uses",
    bad="warns-of-gpus-that-the-engine-never-uses",
)
def check(containers: Sequence[StartedEngine], given: Given) -> Said:
    for one in containers:
        gpus = gpus_of(one.container)
        if one.started is None or one.is_group or gpus is None:
            continue
        for fault in gpus_idle(one.started, gpus[1], gpus[0], inventory=given.facts.inventory):
            yield fault.violation(one.path(*fault.place) if fault.place else one.command_line)

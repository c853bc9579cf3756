"""The engine uses another number of GPUs than the pod has.

vLLM and SGLang use one GPU unless they get a size (`--tensor-parallel-size` or `-tp`, `--tp-size`, pipeline and data parallel sizes);
llama.cpp and TGI use all GPUs that they find. llmaz passes no size: it never reads a flavor's `params.TP`, and the configurations of its
chart have none. If the size is below the number of the pod's GPUs, a large model runs out of memory on the first GPUs while the others
are idle. If it is above, the engine doesn't start. Shares of one GPU, as the nodes' labels show them, count as one. Write the size into
`backendRuntimeConfig.args`, or into the configuration of your own BackendRuntime.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go and chart/templates/backends; vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15,
python/sglang/srt/server_args.py.
"""

from weighbridge.policies.families.llmaz.rulebook import CLAIM_READS, Given, Said, Servers, servers
from weighbridge.policies.families.serving_engines.faults import gpus_idle, gpus_lacking, gpus_of


@servers.warning(
    reads=tuple(sorted({*CLAIM_READS, "Node"})),
    good="accepts-all-gpus-of-the-flavor",
    bad="warns-of-gpus-that-vllm-never-uses",
)
def check(servers: Servers, given: Given) -> Said:
    for server in servers:
        gpus = gpus_of(server.container)
        if server.started is None or server.is_group or gpus is None:
            continue
        resource, count = gpus
        where = "backendRuntimeConfig.args" if server.service.is_playground else "args"
        faults = (*gpus_lacking(server.started, count, resource), *gpus_idle(server.started, count, resource, where, given.facts.inventory))
        yield from map(server.violation, faults)

"""The engine computes on another number of GPUs than the pod has.

vLLM and SGLang take one GPU unless they get a size (`--tensor-parallel-size` or `-tp`, `--tp-size`, pipeline and data parallel sizes);
llama.cpp and TGI take all that they find. llmaz passes no size: nothing of it reads a flavor's `params.TP`, and the configurations of its
chart have none. With fewer than the pod has, a large model runs out of memory on the first GPU while the others are idle; with more, the
engine doesn't start. Write the size in `backendRuntimeConfig.args`, or in the configuration of a BackendRuntime of your own.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go and chart/templates/backends; vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15,
python/sglang/srt/server_args.py.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmaz.predictions.servers import servers_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, objects
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.serving_engines.faults import gpus_idle, gpus_lacking, gpus_of


@objects.warning(
    kinds=("Playground", "Service"),
    reads=CLAIM_READS,
    good="accepts-all-gpus-of-the-flavor",
    bad="warns-of-gpus-that-vllm-never-uses",
)
def check(given: Given) -> Said:
    for server in servers_of(*given):
        gpus = gpus_of(server.container)
        if server.started is None or server.is_group or gpus is None:
            continue
        where = "backendRuntimeConfig.args" if server.serving.choice is not None else "args"
        faults = (*gpus_lacking(server.started, gpus[1], gpus[0]), *gpus_idle(server.started, gpus[1], gpus[0], where))
        for fault in faults:
            yield replace(fault, message=fault.message + server.whose).violation(server.path(*fault.place))

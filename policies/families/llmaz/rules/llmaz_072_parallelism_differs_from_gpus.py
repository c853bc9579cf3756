"""The engine computes on another number of GPUs than the pod has.

vLLM and SGLang take one GPU unless they get a size (`--tensor-parallel-size` or `-tp`, `--tp-size`, pipeline and data parallel sizes);
llama.cpp and TGI take all that they find. llmaz passes no size: nothing of it reads a flavor's `params.TP`, and the configurations of its
chart have none. With fewer than the pod has, a large model runs out of memory on the first GPU while the others are idle; with more, the
engine doesn't start. Write the size in `backendRuntimeConfig.args`, or in the configuration of a BackendRuntime of your own.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go and chart/templates/backends; vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15,
python/sglang/srt/server_args.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.servers import servers_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.families.serving_engines.faults import gpus_idle, gpus_lacking, gpus_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for server in servers_of(request, facts, config):
        gpus = gpus_of(server.container)
        if server.started is None or server.is_group or gpus is None:
            continue
        where = "backendRuntimeConfig.args" if server.reading.choice is not None else "args"
        faults = (*gpus_lacking(server.started, gpus[1], gpus[0]), *gpus_idle(server.started, gpus[1], gpus[0], where))
        for fault in faults:
            yield replace(fault, message=fault.message + server.whose).finding(RULE, server.path(*fault.place))


RULE = Rule(
    id="LLMAZ-072",
    name="parallelism-differs-from-gpus",
    severity=Severity.WARNING,
    kinds=("Playground", "Service"),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="""\
modelClaim: {modelName: opt}
backendRuntimeConfig: {resources: {limits: {nvidia.com/gpu: 1}}, args: [--tensor-parallel-size, "1"]}""",
    bad="""\
modelClaim: {modelName: opt}
backendRuntimeConfig: {args: [--tensor-parallel-size, "2"]}""",
)

"""A pod has more GPUs than its engine computes on.

The operator gives vLLM, SGLang and TGI all GPUs of the pod unless a size is written. A size below that, in `vllmConfig`, `sglangConfig`,
`tgiConfig` or `extraArgs`, leaves GPUs held and idle. Pipeline and data parallel sizes count too. Leave the size open,
raise it, or count fewer GPUs.

Source: LLMKube v0.9.19 internal/controller/runtime_vllm.go; vLLM 0.25.1, vllm/config/parallel.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.arguments import place
from policies.families.llmkube.subject.serving import serving_of
from policies.families.serving_engines.parallelism import parallel_sizes
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    gpus, found = serving.gpus, serving.started
    sizes = parallel_sizes(found.line) if found is not None else None
    if serving.pod_model is None or found is None or sizes is None or gpus.sharing != "exclusive" or not 0 < sizes.gpus < gpus.count:
        return
    yield RULE.finding(
        place(found, sizes.last.at),
        f"the pod has {gpus.held}, and {sizes.words} makes {found.table.engine} compute on {sizes.gpus}",
        found=str(sizes.gpus),
        expected=str(gpus.count),
        hint=f"remove the size for all of the pod's GPUs, or count {sizes.gpus}",
    )


RULE = Rule(
    id="LLMKUBE-179",
    name="gpus-unused",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_vllm.go",
    reads=("Deployment.apps", "InferenceService", "Model", "Node", "PersistentVolumeClaim", "Service"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: repo-4, namespace: default}\n"
        "spec: {source: org/model, format: safetensors, hardware: {gpu: {count: 4}}}"
    ),
    check=_check,
    good="modelRef: repo-4\nruntime: vllm",
    bad="modelRef: repo-4\nruntime: vllm\nvllmConfig: {tensorParallelSize: 2}",
)

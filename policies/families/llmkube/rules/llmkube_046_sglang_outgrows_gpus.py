"""SGLang gets more GPUs to fill than its pod has, by a size that the operator adds itself.

With `dataParallelSize` and no `tensorParallelSize` the operator still passes the whole GPU count as tensor parallel size: two GPUs
with two data parallel copies come to four. Its own check counts the missing size as 1 and lets the service pass. Sizes in `extraArgs`
count, and with `--enable-dp-attention` the copies share the GPUs.

Source: LLMKube v0.9.19 internal/controller/runtime_sglang*.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import parallelism
from policies.families.llmkube.subject.serving import serving_of
from policies.families.serving_engines.parallelism import parallel_sizes
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    sizes, count = part(serving.spec, "sglangConfig"), serving.gpus.count
    if serving.pod_model is None or serving.runtime != "sglang" or count < 2 or whole(sizes, "tensorParallelSize"):
        return
    found = serving.started
    taken = parallel_sizes(found.line) if found is not None else None
    if found is None or taken is None or taken.gpus <= count or found.item(taken.last.at) >= 0:
        return
    copies = found.line.number("data parallel") or 1
    if not parallelism.problem(serving.model, serving.service, serving.operator, serving.gpus):
        yield RULE.finding(
            ("spec", "sglangConfig", "tensorParallelSize"),
            f"isn't set; the operator passes --tp {count}, which with {copies} data parallel copies takes {count * copies} GPUs of {count}",
            expected=f"at most {max(count // copies, 1)}",
            hint=f"set tensorParallelSize to {max(count // copies, 1)}",
        )


RULE = Rule(
    id="LLMKUBE-046",
    name="sglang-outgrows-gpus",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_sglang_args.go",
    reads=("Deployment.apps", "InferenceService", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: repo-2, namespace: default}\n"
        "spec: {source: org/model, format: safetensors, hardware: {gpu: {count: 2}}}"
    ),
    check=_check,
    good="modelRef: repo-2\nruntime: sglang\nsglangConfig: {dataParallelSize: 2, tensorParallelSize: 1}",
    bad="modelRef: repo-2\nruntime: sglang\nsglangConfig: {dataParallelSize: 2}",
)

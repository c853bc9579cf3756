"""A part of a GPU is asked for together with an engine that is split over several.

Tensor, expert or data parallelism above 1 needs whole GPUs. The operator's webhook refuses the pair in words of its own; without
the webhook the reconcile does.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_quota_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import sharing
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    problem = "" if serving.is_metal else sharing.split_problem(serving.service, serving.operator)
    if problem:
        yield RULE.finding(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            hint="use mode exclusive, or remove the parallel size from the engine's block",
        )


RULE = Rule(
    id="LLMKUBE-044",
    name="sharing-with-parallelism",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_quota_webhook.go",
    mirrors="webhook vinferenceservicequota",
    reads=("Deployment.apps", "Model"),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: gguf-2, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 2}}}"
    ),
    check=_check,
    good="modelRef: gguf-2\nvllmConfig: {tensorParallelSize: 2}",
    bad="modelRef: gguf\nresources: {gpuSharing: {mode: partitioned, profile: 1g.10gb}}\nvllmConfig: {tensorParallelSize: 2}",
)

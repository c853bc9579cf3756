"""The Model switches a GPU on, and neither it nor the service says how many.

`gpu.enabled` without a count chooses the CUDA image and asks for no device: the pod lands on any node and computes on the CPU, if
it starts at all.

Source: LLMKube v0.9.19 pkg/apiutil/gpu.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    gpus = serving.gpus
    if serving.pod_model is not None and gpus.enabled and not gpus.present:
        yield RULE.finding(
            ("spec", "resources", "gpu"),
            f"isn't set, and Model {name_of(serving.model)} has gpu.enabled without a count, so the pods get no GPU",
            expected="1 or more",
            hint=f"set gpu.count in Model {name_of(serving.model)}, or resources.gpu here",
        )


RULE = Rule(
    id="LLMKUBE-088",
    name="gpu-not-counted",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: switched-on, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {enabled: true}}}"
    ),
    check=_check,
    good="modelRef: switched-on\nresources: {gpu: 1}",
    bad="modelRef: switched-on",
)

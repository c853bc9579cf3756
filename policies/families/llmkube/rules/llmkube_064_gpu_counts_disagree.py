"""The service asks for another number of GPUs than its Model, and the Model's number is used silently.

`hardware.gpu.count` of the Model is taken where it is above 0; `resources.gpu` only where it isn't. The two are never compared.

Source: LLMKube v0.9.19 pkg/apiutil/gpu.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request
from policies.spelling import amount


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None:
        return
    wanted = whole(part(serving.spec, "resources"), "gpu")
    count = serving.gpus.count
    if wanted > 0 and count != wanted:
        yield RULE.finding(
            ("spec", "resources", "gpu"),
            f"{wanted} has no effect; the pods request {amount(count, 'GPU')}, as gpu.count of Model {name_of(serving.model)} says",
            found=str(wanted),
            expected=str(count),
            hint="remove resources.gpu, or give the Model the same count",
        )


RULE = Rule(
    id="LLMKUBE-064",
    name="gpu-counts-disagree",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: gguf-2, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 2}}}"
    ),
    check=_check,
    good="modelRef: gguf-2\nresources: {gpu: 2}",
    bad="modelRef: gguf-2\nresources: {gpu: 1}",
)

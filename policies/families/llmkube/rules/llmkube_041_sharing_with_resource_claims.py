"""A shared or partitioned GPU is asked for although the Model's GPUs come by resource claims.

Claims hand out devices by themselves, so there is nothing left to share: the operator refuses the service.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import sharing
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if not serving.sees_gpus or serving.gpus.count != 1 or not serving.gpus.claims:
        return
    problem = sharing.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        yield RULE.finding(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            hint="remove gpuSharing, or set gpu.count of the Model instead of its resourceClaims",
        )


RULE = Rule(
    id="LLMKUBE-041",
    name="sharing-with-resource-claims",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpu_sharing.go",
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    is_about_failure=True,
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: dra, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {resourceClaims: [{name: gpu, resourceClaimName: one}]}}}"
    ),
    check=_check,
    good="modelRef: dra\nresources: {gpu: 1}",
    bad="modelRef: dra\nresources: {gpu: 1, gpuSharing: {mode: partitioned, profile: 1g.10gb}}",
)

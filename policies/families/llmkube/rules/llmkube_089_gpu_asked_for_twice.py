"""The service counts GPUs for a Model whose GPUs come by resource claims.

The operator asks for both: the claims' devices and as many counted ones, of which the engine uses one kind at best.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go.
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
    if serving.pod_model is not None and gpus.claims and gpus.count > 0 and gpus.count_from.startswith("InferenceService"):
        yield RULE.finding(
            ("spec", "resources", "gpu"),
            f"the pods will request {gpus.count} {gpus.resource} besides the resourceClaims of Model {name_of(serving.model)}",
            found=str(gpus.count),
            expected="0",
            hint="remove resources.gpu",
        )


RULE = Rule(
    id="LLMKUBE-089",
    name="gpu-asked-for-twice",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: dra, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {resourceClaims: [{name: gpu, resourceClaimName: one}]}}}"
    ),
    check=_check,
    good="modelRef: dra",
    bad="modelRef: dra\nresources: {gpu: 1}",
)

"""A Model counts GPUs and claims them, so its pod asks for both.

With `gpu.count` above 0 the operator adds the device plugin's resource to the container even where `resourceClaims`
already hand it devices: the pod holds twice the hardware, or stays Pending where the plugin isn't installed. Claims
replace the count.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.gpu import gpu_request
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object)
    if gpu is not None and gpu.wanted and gpu.count > 0 and gpu.claims:
        yield RULE.finding(
            ("spec", "hardware", "gpu", "count"),
            f"the pod will request {gpu.count} {gpu.resource} besides its {len(gpu.claims)} resourceClaims",
            found=str(gpu.count),
            expected="no count, or 0, where claims are used",
            hint="remove count, or remove resourceClaims",
        )


RULE = Rule(
    id="LLMKUBE-004",
    name="count-with-resource-claims",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    check=_check,
    good="source: hf://org/model\nhardware: {gpu: {enabled: true, resourceClaims: [{name: gpu, resourceClaimName: one-gpu}]}}",
    bad="source: hf://org/model\nhardware: {gpu: {count: 1, resourceClaims: [{name: gpu, resourceClaimName: one-gpu}]}}",
)

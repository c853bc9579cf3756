"""A GPUQuota allows less than its services take already.

Nothing is stopped by that; but no service of the scope can be created or changed any more until enough of them are gone,
not even to make it smaller, as long as the sum stays above.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go and internal/webhook/quota/decision.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.resolve.quota import status_usage
from policies.fields import whole
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    spec = spec_of(request.object)
    usage = status_usage(request.object, facts, operator_for(request, facts, config))
    allowed, cap = whole(spec, "gpuCount"), whole(spec, "vramBytes")
    if usage.gpus > allowed:
        yield RULE.finding(("spec", "gpuCount"), f"{usage.gpus} GPUs are taken already", found=str(allowed), hint=_HINT)
    if usage.vram > cap > 0:
        yield RULE.finding(("spec", "vramBytes"), f"{usage.vram} bytes are taken already", found=str(cap), hint=_HINT)
    if usage.gpus <= allowed and not usage.is_whole:
        yield RULE.unchecked("not all services, Models and namespaces of the cluster are known")


_HINT = "services of this scope can't be changed while they take more than the quota allows"
RULE = Rule(
    id="LLMKUBE-128",
    name="quota-below-usage",
    severity=Severity.WARNING,
    kinds=("GPUQuota",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/webhook/quota/decision.go",
    reads=("Deployment.apps", "InferenceService", "Model", "Namespace"),
    check=_check,
    good="gpuCount: 4\nnamespaceRef: default",
    bad="gpuCount: 1\nnamespaceRef: default",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: llama, namespace: default}
spec: {modelRef: llama, resources: {gpu: 2}}
""",
)

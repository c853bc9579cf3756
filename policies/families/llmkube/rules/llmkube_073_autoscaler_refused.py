"""The API server will refuse the autoscaler that comes of the service.

More replicas at least than at most, or a metric without a positive target: the reconcile ends in an error every time. Deployment
and Service are there, but the service never gets a status.

Source: LLMKube v0.9.19 internal/controller/hpa_reconciler.go; Kubernetes v1.36, pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import autoscaling
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.pods.validation.autoscaling import autoscaler_refusal
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.is_metal or not autoscaling.is_scaled(serving.workload) or autoscaling.unreadable(serving.workload):
        return
    refusal = autoscaler_refusal(autoscaling.manifest(serving.workload))
    if refusal:
        field = "metrics" if "spec.metrics" in refusal else "minReplicas"
        yield RULE.finding(("spec", "autoscaling", field), f"{refusal}; the operator makes neither autoscaler nor status")


RULE = Rule(
    id="LLMKUBE-073",
    name="autoscaler-refused",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/hpa_reconciler.go",
    reads=("Deployment.apps", "Model"),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nautoscaling: {minReplicas: 1, maxReplicas: 3}",
    bad="modelRef: gguf\nautoscaling: {minReplicas: 4, maxReplicas: 3}",
)

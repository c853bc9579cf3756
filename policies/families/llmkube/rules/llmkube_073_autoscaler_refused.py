"""The API server will refuse the autoscaler that comes of the service.

More replicas at least than at most, or a metric without a positive target: the reconcile ends in an error every time. Deployment
and Service are there, but the service never gets a status.

Source: LLMKube v0.9.19 internal/controller/hpa_reconciler.go; Kubernetes v1.36, pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import autoscaling
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.pods.validation.autoscaling import autoscaler_refusal


@services.error(
    about=FAILURE,
    reads=("Deployment.apps", "Model"),
    good="refuses-a-scaling-target-that-is-no-quantity",
    bad="refuses-a-pods-metric-without-a-target",
)
def check(serving: Serving) -> Said:
    if serving.is_metal or not autoscaling.is_scaled(serving.workload) or autoscaling.unreadable(serving.workload):
        return
    refusal = autoscaler_refusal(autoscaling.manifest(serving.workload))
    if refusal:
        field = "metrics" if "spec.metrics" in refusal else "minReplicas"
        yield Violation(("spec", "autoscaling", field), f"{refusal}; the operator makes neither autoscaler nor status")

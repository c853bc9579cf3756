"""The API server will refuse the service's autoscaler.

If `minReplicas` is above `maxReplicas`, or if a metric has no positive target, every reconcile ends in an error. The
Deployment and the Service exist, but the service never gets a status.

Source: LLMKube v0.9.19, internal/controller/hpa_reconciler.go; Kubernetes v1.36, pkg/apis/autoscaling/validation.
"""

from weighbridge.policies.families.llmkube.predictions.service import autoscaler
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, off_metal
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal


@off_metal.error(
    topic="Services: replicas and autoscaling",
    about=FAILURE,
    reads=("Deployment.apps", "Model"),
    good="accepts-a-pods-metric-with-a-target",
    bad="refuses-a-pods-metric-without-a-target",
)
def check(service: Service) -> Said:
    if not autoscaler.is_scaled(service.workload) or autoscaler.unreadable(service.workload):
        return
    refusal = autoscaler_refusal(autoscaler.manifest(service.workload))
    if refusal:
        field = "metrics" if "spec.metrics" in refusal else "minReplicas"
        yield Violation(
            ("spec", "autoscaling", field),
            f"{refusal}; the operator creates no autoscaler and writes no status",
            hint=_hint(refusal, field),
        )


def _hint(refusal: str, field: str) -> str:
    if field == "minReplicas":
        return "set minReplicas to at most maxReplicas"
    return "set minReplicas to at least 1" if "to zero replicas" in refusal else "give each metric a name and a target above zero"

"""The objective of a service can't be created.

The operator gives `slo.name` to a ServiceLevelObjective, without a check. The API server refuses it if it isn't a DNS subdomain. If another
service of the namespace has an objective of that name, the operator doesn't take it over. The service runs, and has no objective.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_slo_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.service.add_ons import objective_refusal
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, services


@services.warning(
    topic="Services: names, ports, gateways and objectives",
    mirrors="condition SLOReady, ReconcileFailed",
    reads=("Deployment.apps", "InferenceService", "ModelRouter"),
    good="accepts-an-objective-with-pyrra",
    bad="warns-of-a-name-that-no-objective-can-have",
)
def check(service: Service) -> Said:
    if not service.operator.since(0, 9, 8) or not isinstance(service.spec.get("slo"), dict):
        return
    refused = objective_refusal(service.object, service.facts)
    if refused:
        yield Violation(
            ("spec", "slo", "name"), f"no objective is created: {refused}", hint="choose a DNS name that is unique in the namespace"
        )

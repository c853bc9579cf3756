"""A service level objective is set in a cluster that has no Pyrra.

The operator creates a ServiceLevelObjective for Pyrra. That needs Pyrra's CRD and the operator's flag --enable-pyrra-slo. Without
them there is no objective.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_slo_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.service.add_ons import PYRRA
from weighbridge.policies.families.llmkube.rulebook import Said, Service, services
from weighbridge.policies.families.llmkube.rules._add_ons import not_installed


@services.warning(
    topic="Services: names, ports, gateways and objectives",
    mirrors="condition SLOReady",
    reads=("CustomResourceDefinition.apiextensions.k8s.io", "Deployment.apps"),
    good="accepts-an-objective-with-pyrra",
    bad="warns-of-an-objective-without-pyrra",
)
def check(service: Service) -> Said:
    if service.operator.since(0, 9, 8) and isinstance(service.spec.get("slo"), dict):
        yield from not_installed(PYRRA, service, ("spec", "slo"), "install Pyrra, or remove spec.slo")

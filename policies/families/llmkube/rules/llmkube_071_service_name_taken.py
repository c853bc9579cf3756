"""Another InferenceService of the namespace already has the same Service.

The operator replaces dots in the name by dashes, so `a.b` and `a-b` get the same Service. It selects only the pods of the first
one. The second shows the same address, and no error.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.service import address
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, name_of, services


@services.error(
    topic="Services: names, ports, gateways and objectives",
    reads=("Deployment.apps", "InferenceService", "Model"),
    good="accepts-a-service-name-of-another-namespace",
    bad="refuses-a-service-name-that-is-taken",
)
def check(service: Service) -> Said:
    name = name_of(service.object)
    if name and address.is_others(service.workload):
        yield Violation(
            ("metadata", "name"),
            f'its Service would be named "{address.service_name(name)}", which is the Service of another InferenceService already',
            found=name,
            hint="choose a name that differs by more than dots and dashes",
        )

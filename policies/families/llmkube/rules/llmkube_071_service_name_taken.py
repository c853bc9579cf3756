"""Another service of the namespace has the same Service already.

The Service's name is the service's with dashes for dots: `a.b` and `a-b` meet in one. The first one's Service stays and selects its
pods alone; the second shows the same address, and no error.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.service import address
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, name_of, services


@services.error(
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

"""The name of the service or of its Model is too long for a label.

Both become values of labels of the pods, which have at most 63 characters. The API server refuses the Deployment, and the
operator reports only `Failed to create Deployment`.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, name_of, off_metal, text
from weighbridge.policies.families.llmkube.rules._labels import too_long


@off_metal.error(
    topic="Services: names, ports, gateways and objectives",
    about=FAILURE,
    mirrors="phase Failed, Failed to create Deployment",
    good="accepts-a-name-of-63-characters",
    bad="refuses-a-name-that-no-label-takes",
)
def check(service: Service) -> Said:
    yield from too_long(("metadata", "name"), name_of(service.object))
    yield from too_long(("spec", "modelRef"), text(service.spec, "modelRef"))

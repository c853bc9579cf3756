"""A service has the name of another service's component.

OME adds `-engine`, `-decoder` and `-router` to the service's name for the Services of its components. The Service in front of them has
the plain name. If a service `chat` exists, a service `chat-engine` shares a Service with the engine of `chat`, and the pods of `chat`
answer its requests. Choose another name.

Source: OME v0.1.5, pkg/constants/constants.go.
"""

from weighbridge.policies.families.ome.kinds import INFERENCE_SERVICES
from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, name_of, services
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.service_spec import has_component


@services.error(reads=("InferenceService",), good="accepts-a-name-of-a-router-that-is-not-there", bad="refuses-a-name-of-another-engine")
def check(service: Service) -> Said:
    name = service.name
    for component in COMPONENTS:
        stem = name.removesuffix(f"-{component}")
        if stem != name:
            other, shared = INFERENCE_SERVICES.get(service.facts, service.namespace, stem), name
            has_it = has_component(other, component) if other is not None else False
        else:
            shared = f"{name}-{component}"
            other = INFERENCE_SERVICES.get(service.facts, service.namespace, shared)
            has_it = has_component(service.obj, component)
        if other is not None and has_it:
            yield Violation(
                ("metadata", "name"),
                f"this service and InferenceService {name_of(other)} both get the Service {shared}, so requests for one reach the other",
                found=name,
                hint="give it another name",
            )

"""A service has the name of another one's component.

OME names the Services of a service's components with `-engine`, `-decoder` and `-router` after its name, and the Service in front of them
with the name alone. If there is a service `chat`, a service `chat-engine` shares one Service with the engine of `chat`, and answers with
its pods. Choose another name.

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
                f"this service and InferenceService {name_of(other)} both get the Service {shared}, and one answers for the other",
                found=name,
                hint="give it another name",
            )

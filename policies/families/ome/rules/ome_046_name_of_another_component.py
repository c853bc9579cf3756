"""A service has the name of another one's component.

OME names the Services of a service's components with `-engine`, `-decoder` and `-router` behind its name, and the Service in front of them
with the name alone. A service `chat-engine` beside a service `chat` shares one Service with the engine of that, and answers with its pods.

Source: OME v0.1.5 pkg/constants/constants.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import INFERENCE_SERVICES
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.service_spec import has_component, service_of
from weighbridge.policies.ground.objects import name_of, namespace_of


@objects.error(
    kinds=("InferenceService",),
    reads=("InferenceService",),
    good="accepts-a-name-of-a-router-that-is-not-there",
    bad="refuses-a-name-of-another-engine",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    if service is None:
        return
    name, namespace = name_of(service), namespace_of(service)
    for component in COMPONENTS:
        stem = name.removesuffix(f"-{component}")
        if stem != name:
            other, shared = INFERENCE_SERVICES.get(given.facts, namespace, stem), name
            has_it = has_component(other, component) if other is not None else False
        else:
            other, shared = INFERENCE_SERVICES.get(given.facts, namespace, f"{name}-{component}"), f"{name}-{component}"
            has_it = has_component(service, component)
        if other is not None and has_it:
            yield Violation(
                ("metadata", "name"),
                f"this service and InferenceService {name_of(other)} both get the Service {shared}, and one answers for the other",
                found=name,
                hint="give it another name",
            )

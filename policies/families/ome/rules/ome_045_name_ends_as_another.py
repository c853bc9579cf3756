"""Two services of a namespace share the last 20 characters of their names.

OME describes the model of a service in a ConfigMap whose name is `modelconfig-` and the last 20 characters of the service's name. Two
services with the same last characters share this ConfigMap and overwrite each other's content. Choose names with different ends.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig.
"""

from typing import Final

from weighbridge.policies.families.ome.kinds import GROUP, INFERENCE_SERVICES
from weighbridge.policies.families.ome.rulebook import JSONObject, NotChecked, Said, Service, Violation, name_of, namespace_of, services

#: The ConfigMap's name has this many characters of the service's name.
_LENGTH: Final = 20


@services.warning(reads=("InferenceService",), good="accepts-a-name-that-ends-otherwise", bad="warns-of-a-name-that-ends-as-another")
def check(service: Service) -> Said:
    name, objects = service.name, service.facts.objects
    if len(name) < _LENGTH:
        return
    for other in objects.where(GROUP, INFERENCE_SERVICES.kind, _end, (service.namespace, name[-_LENGTH:])):
        if name_of(other) != name:
            yield Violation(
                ("metadata", "name"),
                f"InferenceService {name_of(other)} has the same last characters, so both get ConfigMap modelconfig-{name[-_LENGTH:]}",
                found=name,
                hint=f"let the names differ in their last {_LENGTH} characters",
            )
            return
    if not objects.knows_all(GROUP, INFERENCE_SERVICES.kind):
        yield NotChecked(INFERENCE_SERVICES.unknown)


def _end(service: JSONObject) -> tuple[str, str]:
    return namespace_of(service), name_of(service)[-_LENGTH:]

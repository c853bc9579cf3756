"""The API server refuses the Deployment that KServe creates for the service.

The operator merges the service's resources into its own figures, and KServe writes them into the pods. The operator checks neither: the
service stays Starting, and only KServe's log and the InferenceService show the reason. For each GPU the operator requests 4 CPUs and
32Gi of memory, so a lower limit needs a request of its own. AIM-010 covers different amounts of GPUs.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go; Kubernetes v1.36,
pkg/apis/apps/validation.
"""

from itertools import takewhile

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.aim.predictions.workload import unequal
from weighbridge.policies.families.aim.rulebook import FAILURE, PLACEMENT, JSONValue, Path, Said, Service, Violation, services, written
from weighbridge.policies.ground.field_errors import FieldError

#: The paths of the pod and of its container in a Deployment.
_POD, _CONTAINER = 3, 5


@services.error(
    about=PLACEMENT | FAILURE, good="accepts-a-memory-limit-with-a-request", bad="refuses-a-memory-limit-below-the-operators-request"
)
def check(service: Service) -> Said:
    if not service.refused or service.work is None:
        return
    # AIM-010 reports these.
    unequal_names = [name for name, _, _ in unequal(service.work)]
    for error in service.refused:
        if not any(f" {name} limit" in error.detail for name in unequal_names):
            hint = "correct the field of the service, of its template or of its runtime config that this value comes from"
            yield Violation(_field(service.spec, error), f"the API server refuses the Deployment of KServe: {error}", hint=hint)


def _field(spec: JSONValue, error: FieldError) -> Path:
    """The field of the service from which a refused field of its pods comes, as far as the service has it."""
    place = steps(error.field)
    rest = place[_CONTAINER:] if place[_POD : _POD + 1] == ("containers",) else place[_POD:]
    # A list is merged from several, so its index says nothing about the service's list.
    keys = tuple(takewhile(lambda step: isinstance(step, str), rest))
    return ("spec", *written(spec, keys))

"""The API server refuses an object that the operator creates for a service.

The operator applies the InferenceService last, and stops at an object that the API server refuses, so there are no pods. The operator
writes the timeout of a route as Go prints it, but an HTTPRoute allows only whole hours, minutes, seconds and milliseconds with at most five
digits: `1500ms` becomes `1.5s`, which is refused. The API server also checks the keys of annotations. The value of a label has at most 63
characters: aim-engine writes the name of the service into a label of each object, and kaiwo the name of the template. Correct the field in
the service or in its runtime config.

Source: aim-engine v0.2.1, internal/controller/utils/apply.go; kaiwo dbca1b55, internal/controller/utils/apply.go; Gateway API v1, Duration.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, Path, Said, Service, Violation, services, written
from weighbridge.policies.ground.field_errors import FieldError


@services.error(about=FAILURE, good="accepts-a-route-with-a-gateway", bad="refuses-a-timeout-that-no-route-takes")
def check(service: Service) -> Said:
    if service.unmade is None:
        return
    kind, name, errors = service.unmade
    for error in errors:
        path, hint = _overrides() if kind == "AIMServiceTemplate" and "labels:" not in str(error) else _place(service, error)
        yield Violation(path, f"the API server refuses {kind} {name}: {error}", hint=hint)


def _overrides() -> tuple[Path, str]:
    return ("spec", "overrides"), "leave spec.overrides out, or name a GPU, a number, a precision or a metric in it"


def _place(service: Service, error: FieldError) -> tuple[Path, str]:
    """The field of the service from which a refused field comes, and what to do."""
    if "labels" not in error.field:
        field = "requestTimeout" if "timeouts" in error.field else "annotations"
        return ("spec", *written(service.spec, ("routing", field))), "correct it in the service or in its runtime config"
    if service.dialect.is_aim_engine:
        return ("metadata", "name"), "choose a name of at most 63 characters"
    return ("spec", *written(service.spec, service.dialect.template)), "give the template a name of at most 63 characters"

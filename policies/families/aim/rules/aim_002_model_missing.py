"""The model that a service names doesn't exist.

The operator looks for the name in the service's namespace, then in the cluster. Until the model appears, aim-engine fails the service and
kaiwo keeps it waiting. Create the model, or correct the name. The model may come later in the same rollout, so the rule warns by default.
The configuration's `references` can make it an error.

Source: aim-engine v0.2.1, internal/aimservice/model.go; kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Service, Violation, part, services, text
from weighbridge.policies.families.aim.subject.references import models


@services.warning(
    about=REFERENCE | FAILURE,
    mirrors="condition ModelReady, ModelNotFound",
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-model-that-is-missing",
)
def check(service: Service, given: Given) -> Said:
    model, field = service.model, service.dialect.reference
    name = text(part(service.spec, "model"), field)
    if model is None or not name.strip():
        return
    if model.unknown:
        yield NotChecked(model.unknown)
    elif model.reason == "ModelNotFound":
        yield Violation(
            ("spec", "model", field),
            model.failure,
            found=name,
            nearest=models(given.group).nearest(given.facts, service.namespace, name),
            hint="create the AIMModel in the namespace, or correct the name",
        )

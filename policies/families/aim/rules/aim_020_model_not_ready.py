"""The model of a service isn't ready.

The operator creates the InferenceService only if the model is Ready. One Failed template makes its model Degraded and blocks every new
service of that model, even if the chosen template is ready. A model of the namespace takes precedence over one of the cluster, even if
only the cluster's is ready. See the conditions of the model and of its templates. The state may still change, so the rule only warns.
While the operator still checks the model, the finding is a note.

Source: aim-engine v0.2.1, internal/aimservice/model.go; kaiwo dbca1b55, internal/controller/aim/shared/service_status.go.
"""

from weighbridge.policies.families.aim.predictions.template import WAITING
from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Severity, Violation, services, text


@services.warning(
    about=FAILURE,
    mirrors="condition ModelReady, ModelNotReady",
    good="accepts-a-model-that-is-ready",
    bad="warns-of-a-model-that-is-degraded",
)
def check(service: Service) -> Said:
    model = service.model
    if model is not None and model.status not in ("", "Ready"):
        yield Violation(
            ("spec", "model"),
            f"{text(model.model, 'kind')} {model.name} is {model.status}: the operator creates no InferenceService until it is Ready",
            found=model.status,
            hint="see the conditions of the model and of its templates",
            severity=Severity.NOTE if model.status in WAITING else None,
        )

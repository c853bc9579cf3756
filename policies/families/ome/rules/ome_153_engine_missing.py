"""A service names no engine.

OME's webhook lets it in, and a runtime's own engine counts only where the service has one as well. The controller ends in the event
`DeploymentModeError`. An empty one, `engine: {}`, takes all from the runtime.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import annotation, service_of


@objects.error(
    kinds=("InferenceService",),
    about=FAILURE,
    mirrors="event DeploymentModeError",
    good="accepts-a-budget-of-one-kind",
    bad="refuses-a-router-without-an-engine",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    if service is None or annotation(service, "deploymentMode") == "VirtualDeployment":
        return
    spec = spec_of(service)
    if not any(name in spec for name in ("engine", "decoder", "predictor")):
        message = "OME deploys nothing without an engine, a runtime's own included"
        yield Violation(("spec", "engine"), message, hint="add engine: {}, which takes all from the runtime")

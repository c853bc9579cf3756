"""A service names no engine.

OME's webhook lets it in, and a runtime's own engine counts only where the service has one as well. The controller ends in the event
`DeploymentModeError`. Write `engine: {}`, which takes all from the runtime.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, deployed


@deployed.error(
    about=FAILURE,
    reads=(),
    mirrors="event DeploymentModeError",
    good="accepts-a-budget-of-one-kind",
    bad="refuses-a-router-without-an-engine",
)
def check(service: Service) -> Said:
    if not any(service.written.get(name) is not None for name in ("engine", "decoder")) and not service.written.get("predictor"):
        message = "OME deploys nothing without spec.engine, even where the runtime has an engine"
        yield Violation(("spec", "engine"), message, hint="add engine: {}, which takes all from the runtime")

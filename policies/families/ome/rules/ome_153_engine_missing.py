"""A service has no engine.

OME's webhook accepts it, but OME uses a runtime's engine only if the service has one as well. The controller reports the event
`DeploymentModeError`. Write `engine: {}`, which takes everything from the runtime.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, deployed


@deployed.error(
    about=FAILURE,
    reads=(),
    mirrors="event DeploymentModeError",
    good="accepts-a-router-with-an-engine",
    bad="refuses-a-router-without-an-engine",
)
def check(service: Service) -> Said:
    if not any(service.written.get(name) is not None for name in ("engine", "decoder")) and not service.written.get("predictor"):
        message = "OME deploys nothing without spec.engine, even if the runtime has an engine"
        yield Violation(("spec", "engine"), message, hint="add engine: {}, which takes everything from the runtime")

"""A service names no engine.

OME's webhook lets it in, and a runtime's own engine counts only where the service has one as well. The controller ends in the event
`DeploymentModeError`. An empty one, `engine: {}`, takes all from the runtime.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import annotation, service_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = service_of(request)
    if service is None or annotation(service, "deploymentMode") == "VirtualDeployment":
        return
    spec = spec_of(service)
    if not any(name in spec for name in ("engine", "decoder", "predictor")):
        message = "OME deploys nothing without an engine, a runtime's own included"
        yield RULE.finding(("spec", "engine"), message, hint="add engine: {}, which takes all from the runtime")


RULE = Rule(
    id="OME-153",
    name="engine-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    mirrors="event DeploymentModeError",
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="model: {name: llama}",
)

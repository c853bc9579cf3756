"""Settings for KEDA stand where nobody reads them.

OME reads `spec.kedaConfig` alone, and only where the annotation `ome.io/autoscalerClass` is keda. `kedaConfig` of a component and
`enableKeda` do nothing.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/keda.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import PREFIX
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.components import COMPONENTS
from policies.families.ome.subject.services import annotation, service_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    service = service_of(request)
    if service is None:
        return
    spec = spec_of(service)
    for component in COMPONENTS:
        if part(spec, component, "kedaConfig"):
            yield RULE.finding(("spec", component, "kedaConfig"), "OME doesn't read it here", hint="write it as spec.kedaConfig")
    if part(spec, "kedaConfig") and annotation(service, "autoscalerClass") != "keda":
        message = f"OME doesn't read it unless the annotation {PREFIX}autoscalerClass is keda"
        yield RULE.finding(("spec", "kedaConfig"), message, hint=f"add {PREFIX}autoscalerClass: keda")


RULE = Rule(
    id="OME-070",
    name="keda-config-unread",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/keda",
    beside=SERVED,
    check=_check,
    good="""\
metadata: {annotations: {ome.io/autoscalerClass: keda}}
spec: {model: {name: llama}, engine: {}, kedaConfig: {scalingThreshold: "10"}}
""",
    bad="""\
model: {name: llama}
engine: {kedaConfig: {scalingThreshold: "10"}}
""",
)

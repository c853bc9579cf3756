"""Settings for KEDA stand where nobody reads them.

OME reads `spec.kedaConfig` alone, and only where the annotation `ome.io/autoscalerClass` is keda. `kedaConfig` of a component and
`enableKeda` do nothing.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/keda.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.service_spec import annotation, service_of
from weighbridge.policies.ground.fields import part


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-budget-of-one-kind",
    bad="warns-of-keda-settings-that-another-autoscaler-leaves-unread",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    if service is None:
        return
    spec = spec_of(service)
    for component in COMPONENTS:
        if part(spec, component, "kedaConfig"):
            yield Violation(("spec", component, "kedaConfig"), "OME doesn't read it here", hint="write it as spec.kedaConfig")
    if part(spec, "kedaConfig") and annotation(service, "autoscalerClass") != "keda":
        message = f"OME doesn't read it unless the annotation {PREFIX}autoscalerClass is keda"
        yield Violation(("spec", "kedaConfig"), message, hint=f"add {PREFIX}autoscalerClass: keda")

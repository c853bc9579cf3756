"""Settings for KEDA are written in a place where OME doesn't read them.

OME reads only `spec.kedaConfig`, and only if the annotation `ome.io/autoscalerClass` is keda. `kedaConfig` of a component and
`enableKeda` have no effect. Write `spec.kedaConfig` and the annotation.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/keda.
"""

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, part, services


@services.warning(good="accepts-keda-settings-with-the-annotation", bad="warns-of-keda-settings-that-another-autoscaler-leaves-unread")
def check(service: Service) -> Said:
    for name, component in service.components():
        if part(component, "kedaConfig"):
            yield Violation(("spec", name, "kedaConfig"), "OME doesn't read it here", hint="write it as spec.kedaConfig")
    if part(service.written, "kedaConfig") and service.annotation("autoscalerClass") != "keda":
        message = f"OME doesn't read it unless the annotation {PREFIX}autoscalerClass is keda"
        yield Violation(("spec", "kedaConfig"), message, hint=f"add {PREFIX}autoscalerClass: keda")

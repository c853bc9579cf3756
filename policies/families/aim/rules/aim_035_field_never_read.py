"""A field is set that the operator never reads.

kaiwo uses the runtime config `default` for every model and ignores `runtimeConfigName`. It also ignores `defaultServiceTemplate` when it
chooses a template. Neither operator reads `modelSources`, `downloadImage` and `imagePullSecrets` of a template cache: both use the
template's. Set the field in the template or in the service instead.

Source: aim-engine v0.2.1, internal/aimtemplatecache; kaiwo dbca1b55, internal/controller/aim/aimmodel_controller.go.
"""

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.configuration import DEFAULT
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects, text


@objects.warning(
    kinds=("AIMModel", "AIMClusterModel", "AIMTemplateCache"),
    good="accepts-a-model-of-the-old-group-without-a-config",
    bad="warns-of-a-config-that-a-model-of-the-old-group-never-reads",
)
def check(given: Given) -> Said:
    spec = given.spec
    if given.kind == "AIMTemplateCache":
        for name in ("modelSources", "downloadImage", "imagePullSecrets"):
            if spec.get(name):
                yield Violation(
                    ("spec", name), f"{name} of a template cache is never read", hint="set it in the template, and remove it here"
                )
    elif given.group == OLD:
        name = text(spec, "runtimeConfigName")
        if name not in ("", DEFAULT):
            yield Violation(
                ("spec", "runtimeConfigName"),
                "models take the runtime config default, whatever is named here",
                found=name,
                expected=DEFAULT,
            )
        if text(spec, "defaultServiceTemplate"):
            yield Violation(
                ("spec", "defaultServiceTemplate"),
                "is never read: services choose among all templates",
                hint="name it in the services' templateRef",
            )

"""A volume has the same name as the model that OME mounts.

OME adds a volume with the model's name to the pods. If another volume has that name, the API server refuses the Deployment, and the
service gets no pods. Give the volume another name.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, deployed, items, text
from weighbridge.policies.families.ome.subject.components import configured
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED


@deployed.error(about=FAILURE, good="accepts-a-volume-of-another-name", bad="refuses-a-volume-named-as-the-model")
def check(service: Service) -> Said:
    model, runtime = service.model, service.runtime
    if model is None or not model.path:
        return
    for component in filter(service.has, ACCELERATED):
        for index, volume in enumerate(items(service.spec, component, "volumes")):
            if text(volume, "name") == model.name:
                path = ("spec", component, "volumes", index, "name")
                yield Violation(path, "OME mounts the model as a volume of this name", found=model.name, hint="give it another name")
        of_runtime = items(configured(runtime.spec, component), "volumes") if runtime is not None else []
        if runtime is not None and model.name in (text(volume, "name") for volume in of_runtime):
            yield Violation(
                ("spec", component),
                f"{runtime.title} has a volume {model.name}, and OME mounts the model as a volume of this name",
                hint="give the runtime's volume another name",
            )

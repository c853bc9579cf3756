"""A volume has the name of the model that is mounted.

OME adds a volume of the model's name to the pods. With another one of that name Kubernetes refuses the Deployment, and the service gets no
pods. Give the volume another name.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.families.ome.subject.components import configured
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED, has_component
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import Path


@services.error(
    about=FAILURE,
    reads=RUNTIME_READS,
    good="accepts-a-model-of-the-cluster",
    bad="refuses-a-volume-named-as-the-model",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return

    model, runtime = serving.model.model, serving.runtime
    if model is None or not text(part(model.spec, "storage"), "path"):
        return
    for component in ACCELERATED:
        if not has_component(serving.service, component):
            continue
        own = items(serving.spec, component, "volumes")
        for index, volume in enumerate(own):
            if text(volume, "name") == model.name:
                path: Path = ("spec", component, "volumes", index, "name")
                yield Violation(path, "OME mounts the model as a volume of this name", found=model.name, hint="give it another name")
        given = items(configured(runtime.spec, component), "volumes") if runtime is not None else []
        if runtime is not None and model.name in (text(volume, "name") for volume in given):
            yield Violation(
                ("spec", component),
                f"{runtime.title} has a volume {model.name}, and OME mounts the model as a volume of this name",
                hint="give the runtime's volume another name",
            )

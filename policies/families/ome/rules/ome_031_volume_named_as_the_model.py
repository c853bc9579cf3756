"""A volume has the name of the model that is mounted.

OME adds a volume of the model's name to the pods. With another one of that name Kubernetes refuses the Deployment, and the service gets no
pods. Give the volume another name.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.families.ome.subject.components import configured
from policies.families.ome.subject.services import ACCELERATED, has_component
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
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
                yield RULE.finding(path, "OME mounts the model as a volume of this name", found=model.name, hint="give it another name")
        given = items(configured(runtime.spec, component), "volumes") if runtime is not None else []
        if runtime is not None and model.name in (text(volume, "name") for volume in given):
            yield RULE.finding(
                ("spec", component),
                f"{runtime.title} has a volume {model.name}, and OME mounts the model as a volume of this name",
                hint="give the runtime's volume another name",
            )


RULE = Rule(
    id="OME-031",
    name="volume-named-as-the-model",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama}
engine: {volumes: [{name: cache, emptyDir: {}}]}
""",
    bad="""\
model: {name: llama}
engine: {volumes: [{name: llama, emptyDir: {}}]}
""",
)

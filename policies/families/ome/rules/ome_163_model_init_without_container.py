"""OME is to fetch the model into pods that have no container for it.

With `ome.io/inject-model-init` OME's webhook for pods adds a container that fetches the model, for a container called ome-container or
trainer. It refuses the pods that have neither; the service itself looks fine. For TensorRT-LLM it takes the number of GPUs from the limits
of ome-container, and panics where there are none.

Source: OME v0.1.5 pkg/webhook/admission/pod/model_init_injector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.resolve.merge.pod_webhook import MODEL_INIT, NO_CONTAINER, NO_GPU, annotation_path, refused_pods
from policies.families.ome.rules._examples import CLASS_READS, SERVABLE
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    for component, found in refused_pods(made.objects if made is not None else ()):
        if found.refusal == NO_CONTAINER:
            message = f"OME refuses the pods of {component}: it is to fetch the model into a container ome-container or trainer"
            hint = "call the runner ome-container, or take the annotation away"
            yield RULE.finding(annotation_path(request.object, component, MODEL_INIT), message, hint=hint)
        elif found.refusal == NO_GPU:
            message = f"OME panics on the pods of {component}: for TensorRT-LLM it counts nvidia.com/gpu of ome-container, which has none"
            hint = "give ome-container a limit of nvidia.com/gpu, or take the annotation away"
            yield RULE.finding(annotation_path(request.object, component, MODEL_INIT), message, hint=hint)


RULE = Rule(
    id="OME-163",
    name="model-init-without-container",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/pod/model_init_injector.go",
    reads=CLASS_READS,
    beside=SERVABLE.replace("runner: {name: ome-container", "runner: {name: sglang"),
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="""\
model: {name: llama}
engine: {annotations: {ome.io/inject-model-init: "true"}}
""",
)

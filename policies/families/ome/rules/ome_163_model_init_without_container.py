"""OME has to fetch the model into pods without a suitable container.

With `ome.io/inject-model-init` OME's webhook for pods adds an init container that fetches the model for a container named ome-container or
trainer. It refuses pods that have neither, although the service looks fine. For TensorRT-LLM it reads the number of GPUs from the limits
of ome-container, and panics if there are none. Name the runner ome-container and give it GPUs, or remove the annotation.

Source: OME v0.1.5, pkg/webhook/admission/pod/model_init_injector.go.
"""

from weighbridge.policies.families.ome.predictions.merge.pod_webhook import MODEL_INIT, NO_CONTAINER, NO_GPU, annotation_path, refused_pods
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, Workloads, workloads


@workloads.error(good="accepts-fetching-an-engine-of-tensorrt-for-its-gpus", bad="refuses-fetching-an-engine-of-tensorrt-without-gpus")
def check(made: Workloads, given: Given) -> Said:
    for component, found in refused_pods(made.objects, made.operator.settings):
        if found.refusal == NO_CONTAINER:
            message = f"OME refuses the pods of {component}: they have no container ome-container or trainer to fetch the model into"
            hint = "name the runner ome-container, or remove the annotation"
            yield Violation(annotation_path(given.object, component, MODEL_INIT), message, hint=hint)
        elif found.refusal == NO_GPU:
            message = f"OME panics on the pods of {component}: for TensorRT-LLM it counts nvidia.com/gpu of ome-container, which has none"
            hint = "give ome-container a limit of nvidia.com/gpu, or remove the annotation"
            yield Violation(annotation_path(given.object, component, MODEL_INIT), message, hint=hint)

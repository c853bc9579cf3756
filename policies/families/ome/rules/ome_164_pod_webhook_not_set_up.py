"""OME's webhook for pods lacks the configuration that a service needs.

Pods with fine-tuned weights get a container that fetches them, and pods with `ome.io/inject-serving-sidecar` a sidecar. Both need a key in
the ConfigMap inferenceservice-config of OME's namespace. OME doesn't ship these keys: `fineTunedAdapter` is missing with kustomize and
with Helm, `servingSidecar` with kustomize. Without the key every such pod is refused, although the service looks fine. Add the key to the
ConfigMap. With the key OME reads the URI of a weight as one of OCI object storage, and panics at any other (OME-126).

Source: OME v0.1.5, pkg/webhook/admission/pod; config/configmap/inferenceservice.yaml and charts/ome-resources.
"""

from weighbridge.policies.families.ome.predictions.merge.pod_webhook import (
    MODEL_INIT,
    NO_STRATEGY,
    NOT_ON_OCI,
    SIDECAR,
    annotation_path,
    refused_pods,
)
from weighbridge.policies.families.ome.rulebook import Given, Path, Said, Violation, Workloads, workloads


@workloads.warning(good="accepts-a-model-of-the-cluster", bad="warns-of-a-sidecar-without-its-settings")
def check(made: Workloads, given: Given) -> Said:
    for component, found in refused_pods(made.objects, made.operator.settings, made.weight_uri):
        if found.is_missing:
            asking = MODEL_INIT if found.is_missing == "modelInit" else SIDECAR
            path: Path = annotation_path(given.object, component, asking)
            path = ("spec", "model", "fineTunedWeights") if found.is_missing == "fineTunedAdapter" else path
            hint = f"add {found.is_missing} with image, compartmentId and authType"
            if made.operator.is_known:
                message = (
                    f"OME refuses the pods of {component}: the ConfigMap inferenceservice-config has no {found.is_missing} that it can use"
                )
            else:
                message = f"OME refuses the pods of {component} unless the ConfigMap inferenceservice-config has {found.is_missing}"
                hint += "; if the key exists, set OME-164 to off"
            yield Violation(path, message, hint=hint)
        elif found.refusal == NOT_ON_OCI:
            message = (
                f"OME panics on the pods of {component}: it reads fine-tuned weights from oci:// only, and this one is {made.weight_uri}"
            )
            yield Violation(("spec", "model", "fineTunedWeights"), message, hint="put the weight on OCI object storage")
        elif found.refusal == NO_STRATEGY:
            message = f"OME refuses the pods of {component}: its sidecar is for a fine-tuned weight with a strategy"
            yield Violation(annotation_path(given.object, component, SIDECAR), message, hint="remove the annotation")

"""OME's webhook for pods isn't set up for what a service asks of it.

Pods with fine-tuned weights get a container that fetches them, and pods with `ome.io/inject-serving-sidecar` a sidecar. Both need a key in
the ConfigMap inferenceservice-config of OME's namespace, which OME doesn't ship: `fineTunedAdapter` neither by kustomize nor by Helm,
`servingSidecar` not by kustomize. Without it every such pod is refused, while the service looks fine. Add the key to the ConfigMap.

Source: OME v0.1.5, pkg/webhook/admission/pod; config/configmap/inferenceservice.yaml and charts/ome-resources.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.merge.pod_webhook import SIDECAR, annotation_path, refused_pods
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, Workloads, workloads


@workloads.warning(good="accepts-a-model-of-the-cluster", bad="warns-of-a-sidecar-without-its-settings")
def check(made: Workloads, given: Given) -> Said:
    for component, found in refused_pods(made.objects):
        if found.is_missing:
            path = ("spec", "model", "fineTunedWeights") if found.is_missing == "fineTunedAdapter" else None
            message = f"OME refuses the pods of {component} unless the ConfigMap inferenceservice-config has {found.is_missing}"
            hint = f"add {found.is_missing} with image, compartmentId and authType; where it is there, set OME-164 to off"
            yield Violation(path or annotation_path(given.object, component, SIDECAR), message, hint=hint)

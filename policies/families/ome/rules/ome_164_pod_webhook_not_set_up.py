"""OME's webhook for pods isn't set up for what a service asks of it.

Pods with fine-tuned weights get a container that fetches them, and pods with `ome.io/inject-serving-sidecar` a sidecar. Both need a key in
the ConfigMap inferenceservice-config of OME's namespace, which OME doesn't ship: `fineTunedAdapter` neither by kustomize nor by Helm,
`servingSidecar` not by kustomize. Without it every such pod is refused, while the service looks fine.

Source: OME v0.1.5 pkg/webhook/admission/pod; config/configmap/inferenceservice.yaml and charts/ome-resources.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.resolve.merge.pod_webhook import SIDECAR, annotation_path, refused_pods
from policies.families.ome.rules._examples import CLASS_READS, SERVABLE
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    for component, found in refused_pods(made.objects if made is not None else ()):
        if found.is_missing:
            path = ("spec", "model", "fineTunedWeights") if found.is_missing == "fineTunedAdapter" else None
            message = f"OME refuses the pods of {component} unless the ConfigMap inferenceservice-config has {found.is_missing}"
            hint = f"add {found.is_missing} with image, compartmentId and authType; where it is there, set OME-164 to off"
            yield RULE.finding(path or annotation_path(request.object, component, SIDECAR), message, hint=hint)


RULE = Rule(
    id="OME-164",
    name="pod-webhook-not-set-up",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/pod; config/configmap/inferenceservice.yaml",
    reads=CLASS_READS,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="""\
model: {name: llama}
engine: {annotations: {ome.io/inject-serving-sidecar: "true"}}
""",
)

"""A component on Knative Serving: the spec and the annotations of its Knative Service.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/knative/ksvc_reconciler.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.components import Component
from weighbridge.policies.ground.objects import JSONObject

GROUP: Final = "serving.knative.dev"
#: The label of a service that is reached only within the cluster.
VISIBILITY: Final = f"networking.{GROUP.partition('.')[2]}/visibility"
_AUTOSCALING: Final = "autoscaling.knative.dev"
#: The annotations that a Knative Service gets itself instead of its pods.
_OF_SERVICES: Final = (f"{GROUP}/rollout-duration", "serving.knative.openshift.io/enablePassthrough")
#: The annotation with which the latest revision gets an address of its own.
_TAGGED: Final = f"{PREFIX}enable-tag-routing"
#: Fields of a Knative Service's pods, and those of a component; OME copies the one timeout into both fields.
_LIMITS: Final = {
    "timeoutSeconds": "timeoutSeconds",
    "responseStartTimeoutSeconds": "timeoutSeconds",
    "containerConcurrency": "containerConcurrency",
}


def own_annotations(annotations: JSONObject) -> JSONObject:
    """The annotations of the Knative Service itself."""
    return {name: annotations[name] for name in _OF_SERVICES if name in annotations}


def service_spec(component: Component, pod: JSONObject, labels: JSONObject, annotations: JSONObject) -> JSONObject:
    """The spec of a Knative Service, whose pods lack the labels of queues."""
    written = component.spec
    scale: JSONObject = {"min-scale": str(component.min_replicas), "class": annotations.get(f"{_AUTOSCALING}/class", f"kpa.{_AUTOSCALING}")}
    scale |= {"max-scale": str(component.max_replicas)} if component.max_replicas else {}
    asked = (("target", "scaleTarget"), ("metric", "scaleMetric"))
    scale |= {key: str(written[field]) for key, field in asked if field in written}
    kept = {name: value for name, value in annotations.items() if name not in _OF_SERVICES}
    metadata = {
        "labels": {name: value for name, value in labels.items() if name != VISIBILITY},
        "annotations": {**kept, **{f"{_AUTOSCALING}/{key}": value for key, value in scale.items()}},
    }
    limits = {field: written[source] for field, source in _LIMITS.items() if source in written}
    # A canary only gets its share once a revision is rolled out.
    latest: JSONObject = {"latestRevision": True, "percent": 100}
    latest |= {"tag": "latest"} if annotations.get(_TAGGED) == "true" else {}
    return {"template": {"metadata": metadata, "spec": {**pod, **limits}}, "traffic": [latest]}

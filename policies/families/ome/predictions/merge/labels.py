"""The labels and annotations of the objects that OME creates for a component: those of the service, the model, the runtime and queues.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.components import Component
from weighbridge.policies.families.ome.predictions.merge.pods import CommonPart
from weighbridge.policies.families.ome.subject.formats import optional
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of

#: Annotations of the model that its pods get.
_OF_MODEL: Final = tuple(f"{PREFIX}base-model-decryption-{what}-name" for what in ("key", "secret"))


def labels_of(service: JSONObject, component: Component, share: CommonPart) -> JSONObject:
    """The labels of a component's objects, and of its pods."""
    own = {**text_map(service, "metadata", "labels"), **text_map(component.spec, "labels")}
    return {
        **own,
        "component": component.name,
        PREFIX + "inferenceservice": name_of(service),
        "serving-runtime": name_of(share.runtime),
        "base-model-name": share.model.name,
        "base-model-size": text_map(share.model.obj, "metadata", "annotations").get("models.ome.io/category", "SMALL"),
        "base-model-type": "Serving",
        **_given(share.model.spec, "vendor", "base-model-vendor"),
        **share.weights.labels,
    }


def annotations_of(service: JSONObject, component: Component, share: CommonPart) -> JSONObject:
    """The annotations of a component's objects, and of its pods."""
    form = share.model.format
    of_ome = {"serving-runtime": name_of(share.runtime), "base-model-name": share.model.name}
    of_ome |= _given(share.model.spec, "vendor", "base-model-vendor")
    of_ome |= {"base-model-format": form.name} if form is not None else {}
    of_ome |= _given(part(share.model.spec, "modelFormat"), "version", "base-model-format-version")
    of_model = {key: value for key, value in text_map(share.model.obj, "metadata", "annotations").items() if key in _OF_MODEL}
    of_model = {} if share.weights.is_merged else of_model
    return {
        **component.annotations(service),
        **of_model,
        **{PREFIX + name: value for name, value in of_ome.items()},
        **share.weights.annotations,
    }


def _given(spec: JSONObject, field: str, name: str) -> dict[str, str]:
    """A text of the model under a name, even an empty one; nothing if there is none."""
    found = optional(spec, field)
    return {name: found} if found is not None else {}


def queue_labels(annotations: JSONObject) -> JSONObject:
    """The labels with which Volcano or Kueue queues pods, and with which Ray chooses its scheduler."""
    found = text_map(annotations)
    queue, cluster = found.get(f"{PREFIX}volcano-queue"), found.get(f"{PREFIX}dedicated-ai-cluster")
    labels: JSONObject = {}
    if queue is not None:
        labels = {"volcano.sh/queue-name": queue}
    elif cluster is not None and "kueue-enabled" in found:
        labels = {"kueue.x-k8s.io/queue-name": cluster, "kueue.x-k8s.io/priority-class": "kueue-scheduling-high-priority"}
    elif cluster is not None:
        labels = {"volcano.sh/queue-name": cluster, "ray.io/priority-class-name": "volcano-scheduling-high-priority"}
    return labels | ({"ray.io/scheduler-name": "volcano"} if "volcano" in found else {})

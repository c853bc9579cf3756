"""What the server says of an object that makes pods: it takes each, and warns where the pods break the standard that `warn` names.

Source: k8s.io/pod-security-admission v0.37, admission/admission.go (DefaultPodSpecExtractor, ValidatePodController, EvaluatePod).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import JSONObject, lookup, metadata_of
from weighbridge.policies.pods.security.as_stored import as_stored
from weighbridge.policies.pods.security.evaluation import breach
from weighbridge.policies.pods.security.standard import Standard

_TEMPLATE: Final = ("spec", "template")
#: Where the kinds that the plugin looks at have the template of their pods.
_TEMPLATES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("ReplicationController", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"), _TEMPLATE),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
    "PodTemplate": ("template",),
}


def violation(workload: JSONObject, pods: Mapping[str, JSONObject], standard: Standard) -> str:
    """``would violate PodSecurity "restricted:latest": ...`` of a workload and the pods that it makes; empty where they keep to it."""
    for metadata, spec in _checked(workload, pods):
        found = breach(metadata, spec, standard)
        if found:
            return f'would violate PodSecurity "{standard}": {found}'
    return ""


def _checked(workload: JSONObject, pods: Mapping[str, JSONObject]) -> Iterator[tuple[JSONObject, JSONObject]]:
    """What is checked: the template where the plugin looks at the kind, else the pods."""
    path = _TEMPLATES.get(str(workload.get("kind")))
    if path is not None:
        template = lookup(workload, path)
        yield metadata_of(template), part(template, "spec")
        return
    for pod in pods.values():
        metadata = metadata_of(pod)
        yield metadata, as_stored(part(pod, "spec"), text_map(metadata, "annotations"))

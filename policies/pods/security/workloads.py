"""The server's warning about an object that creates pods. It accepts the object, but warns if the pods violate the standard of `warn`.

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
from weighbridge.policies.pods.security.wordings import violation_of_template

_TEMPLATE: Final = ("spec", "template")
#: The path of the pod template in each kind that the plugin checks.
_TEMPLATES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("ReplicationController", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"), _TEMPLATE),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
    "PodTemplate": ("template",),
}


def violation(workload: JSONObject, pods: Mapping[str, JSONObject], standard: Standard) -> str:
    """``would violate PodSecurity "restricted:latest": ...`` for a workload and the pods that it creates; empty if they satisfy it."""
    for metadata, spec in _checked(workload, pods):
        found = breach(metadata, spec, standard)
        if found:
            return violation_of_template(standard, found)
    return ""


def _checked(workload: JSONObject, pods: Mapping[str, JSONObject]) -> Iterator[tuple[JSONObject, JSONObject]]:
    """The pods to check: the template if the plugin checks the kind, else the pods themselves."""
    path = _TEMPLATES.get(str(workload.get("kind")))
    if path is not None:
        template = lookup(workload, path)
        yield metadata_of(template), part(template, "spec")
        return
    for pod in pods.values():
        metadata = metadata_of(pod)
        yield metadata, as_stored(part(pod, "spec"), text_map(metadata, "annotations"))

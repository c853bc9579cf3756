"""The defaults that the server fills in for pods and pod templates.

Source: Kubernetes v1.34 to v1.37, pkg/apis/core/v1/defaults.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.images import Reference
from weighbridge.policies.pods.requests import with_limits_requested, with_pod_level_defaults

_SPEC: Final[Mapping[str, str | int]] = {
    "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "terminationGracePeriodSeconds": 30, "schedulerName": "default-scheduler",
}  # fmt: skip
_PROBE: Final[Mapping[str, int]] = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
#: The mode of files from ConfigMaps, Secrets and the like: 0644.
_FILE_MODE: Final = 0o644
_CONTAINERS: Final = ("containers", "initContainers")


def _pull_policy(image: str) -> str:
    read = Reference.read(image)
    return "Always" if read.tag == "latest" or not (read.tag or read.digest) else "IfNotPresent"


def _container(container: JSONObject) -> None:
    container.setdefault("imagePullPolicy", _pull_policy(text(container, "image")))
    container.setdefault("terminationMessagePath", "/dev/termination-log")
    container.setdefault("terminationMessagePolicy", "File")


def _volume(volume: JSONObject) -> None:
    if set(volume) <= {"name"}:
        volume["emptyDir"] = {}
    if isinstance(volume.get("image"), dict):
        volume["image"].setdefault("pullPolicy", _pull_policy(text(volume["image"], "reference")))


def _pod(pod: JSONObject) -> None:
    spec: JSONObject = pod.setdefault("spec", {})
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        spec["terminationGracePeriodSeconds"] = 1
    for kind in _CONTAINERS:
        if kind in spec:
            spec[kind] = [with_limits_requested(container) for container in items(spec, kind)]
    if not release().defaults_pods_last:
        spec |= with_pod_level_defaults(spec)
    spec.setdefault("enableServiceLinks", True)
    if spec.get("hostNetwork"):
        for kind in _CONTAINERS:
            for container in items(spec, kind):
                for port in items(container, "ports"):
                    if "containerPort" in port:
                        port.setdefault("hostPort", port["containerPort"])


def _pod_spec(spec: JSONObject) -> None:
    for key, value in _SPEC.items():
        spec.setdefault(key, value)
    spec.setdefault("securityContext", {})
    _share_account(spec)


def _share_account(spec: JSONObject) -> None:
    """Keep both fields with the name of the service account equal; the newer one counts if it is set."""
    name = text(spec, "serviceAccountName") or text(spec, "serviceAccount")
    if name:
        spec["serviceAccountName"] = spec["serviceAccount"] = name
    else:
        spec.pop("serviceAccount", None)


def _probe(probe: JSONObject) -> None:
    for key, value in _PROBE.items():
        probe.setdefault(key, value)


def _http_get(action: JSONObject) -> None:
    action.setdefault("path", "/")
    action.setdefault("scheme", "HTTP")


def _files(source: JSONObject) -> None:
    source.setdefault("defaultMode", _FILE_MODE)


RULES: Final[Mapping[str, Callable[[JSONObject], None]]] = {
    "ConfigMapVolumeSource": _files,
    "Container": _container,
    "DownwardAPIVolumeSource": _files,
    "EphemeralContainer": _container,
    "HTTPGetAction": _http_get,
    "HostPathVolumeSource": lambda source: source.setdefault("type", ""),
    "ObjectFieldSelector": lambda selector: selector.setdefault("apiVersion", "v1"),
    "Pod": _pod,
    "PodSpec": _pod_spec,
    "Probe": _probe,
    "ProjectedVolumeSource": _files,
    "SecretVolumeSource": _files,
    "ServiceAccountTokenProjection": lambda source: source.setdefault("expirationSeconds", 3600),
    "Volume": _volume,
}

"""The values of a pod template that Go leaves out when it writes it: empty texts, zeros and `false` of fields that aren't pointers.

The controllers read templates into Go's structs and write them again. So the API server gives such a field its default.
Source: k8s.io/api v0.33.5, core/v1/types.go: fields with `omitempty` that are no pointers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: The fields that are left out in every struct of a pod.
_FIELDS: Final = frozenset(
    (
        *("audience", "chapAuthDiscovery", "chapAuthSession", "containerName", "datasetName", "datasetUUID", "directory", "dnsPolicy"),
        *("effect", "failureThreshold", "group", "host", "hostIP", "hostIPC", "hostNetwork", "hostPID", "hostPort", "hostname"),
        *("imagePullPolicy", "initialDelaySeconds", "iscsiInterface", "keyring", "level", "medium", "nodeName", "partition"),
        *("periodSeconds", "pool", "prefix", "priorityClassName", "protectionDomain", "protocol", "pullPolicy", "reference", "request"),
        *("role", "schedulerName", "scheme", "secretFile", "serviceAccount", "serviceAccountName", "sslEnabled", "stdin", "stdinOnce"),
        *("storageMode", "storagePolicyID", "storagePolicyName", "storagePool", "subPath", "subPathExpr", "subdomain", "successThreshold"),
        *("targetContainerName", "tenant", "terminationMessagePath", "terminationMessagePolicy", "timeoutSeconds", "tty", "user"),
        *("volumeName", "volumeNamespace", "workingDir"),
    )
)
#: Further ones in the struct, or the items, under a key.
_FIELDS_UNDER: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({"restartPolicy"}),
    **dict.fromkeys(("containers", "initContainers", "ephemeralContainers"), frozenset({"image"})),
    "env": frozenset({"value"}),
    "httpGet": frozenset({"path"}),
    "persistentVolumeClaim": frozenset({"readOnly"}),
    "nfs": frozenset({"readOnly"}),
    "ports": frozenset({"name"}),
    "secret": frozenset({"secretName"}),
    "tolerations": frozenset({"key", "operator", "value"}),
    "volumeMounts": frozenset({"readOnly"}),
}
#: Maps, whose keys aren't fields.
_MAPS: Final = frozenset({"annotations", "labels", "limits", "matchLabels", "nodeSelector", "requests", "volumeAttributes"})
_NONE: Final = frozenset[str]()


def without_zeros(spec: JSONObject) -> JSONObject:
    """The spec of a pod as Go writes it."""
    return _struct(spec, "")


def _struct(value: JSONObject, under: str) -> JSONObject:
    more = _FIELDS_UNDER.get(under, _NONE)
    return {
        name: _value(inner, name)
        for name, inner in value.items()
        if not ((name in _FIELDS or name in more) and (inner in ("", 0) or inner is False))
    }


def _value(value: JSONValue, name: str) -> JSONValue:
    if name in _MAPS:
        return value
    if isinstance(value, list):
        return [_struct(item, name) if isinstance(item, dict) else item for item in value]
    return _struct(value, name) if isinstance(value, dict) else value

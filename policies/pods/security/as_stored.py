"""Fills in a pod as the API server does before PodSecurity gets it, as far as a check reads the result. Templates aren't changed.

Source: Kubernetes v1.37, pkg/apis/core/v1/defaults.go (SetDefaults_Pod, defaultHostNetworkPorts) and pkg/registry/core/pod/strategy.go
(applyAppArmorVersionSkew).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.fields import flag, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject

_APP_ARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_UNCONFINED: Final[JSONObject] = {"appArmorProfile": {"type": "Unconfined"}}


def as_stored(spec: JSONObject, annotations: Mapping[str, str]) -> JSONObject:
    """The spec of a pod with its ports on the host's network, and with AppArmor turned off if an old annotation says so."""
    is_unconfined = text(part(spec, "os"), "name") != "windows" and "unconfined" in annotations.values()
    if not flag(spec, "hostNetwork") and not is_unconfined:
        return spec
    marked = {key.removeprefix(_APP_ARMOR) for key, value in annotations.items() if key.startswith(_APP_ARMOR) and value == "unconfined"}
    if not is_unconfined or text(part(spec, "securityContext", "appArmorProfile"), "type") == "Unconfined":
        marked = set()

    def stored(container: JSONObject) -> JSONObject:
        out = dict(container)
        if flag(spec, "hostNetwork"):
            out["ports"] = [{**port, "hostPort": whole(port, "hostPort") or whole(port, "containerPort")} for port in items(out, "ports")]
        context = part(container, "securityContext")
        if text(container, "name") in marked and not part(context, "appArmorProfile"):
            out["securityContext"] = {**context, **_UNCONFINED}
        return out

    return {**spec, **{kind: [stored(one) for one in items(spec, kind)] for kind in ("initContainers", "containers") if kind in spec}}

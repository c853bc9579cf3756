"""The users and groups of a service's pods.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go (inferPodSecurityContext, inferContainerSecurityContext).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.families.llmkube.subject.gpu import DRI_RENDER
from weighbridge.policies.ground.objects import JSONObject

_POD: Final = "spec.template.spec.securityContext"
_CONTAINER: Final = "spec.template.spec.containers[0].securityContext"


#: The context of a container if its author sets none.
_UNPRIVILEGED: Final[JSONObject] = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def pod_security_context(workload: Workload) -> JSONObject:
    """The pod's context: the author's unchanged, else the operator's, with the group of the render device if the pod needs it."""
    own = workload.spec.get("podSecurityContext")
    if isinstance(own, dict):
        reason = "the author's is taken whole: neither fsGroup nor the group of the render device is added"
        workload.record(_POD, own, workload.of_service("spec.podSecurityContext"), reason)
        return own
    operator = workload.operator
    context: JSONObject = {"seccompProfile": {"type": "RuntimeDefault"}}
    if operator.default_fs_group > 0:
        context["fsGroup"] = operator.default_fs_group
        source = workload.of_operator("--default-fsgroup", "default_fs_group")
        workload.record(f"{_POD}.fsGroup", operator.default_fs_group, source, "the group that the model volume belongs to")
    if workload.gpus.resource == DRI_RENDER and operator.since(0, 9, 18):
        context |= _render_group(workload)
    return context


def _render_group(workload: Workload) -> JSONObject:
    group = workload.operator.dri_render_gid
    source = workload.of_operator("--dri-render-gid", "dri_render_gid")
    if group <= 0:
        reason = "the operator knows no group of the render device: without it the engine falls back to the CPU"
        workload.record(f"{_POD}.supplementalGroups", None, source, reason)
        return {}
    workload.record(f"{_POD}.supplementalGroups", [group], source, f"the group of the render device, which {DRI_RENDER} needs")
    return {"supplementalGroups": [group]}


def container_security_context(workload: Workload) -> JSONObject:
    """The container's context: the author's, else without privilege escalation and capabilities."""
    own = workload.spec.get("securityContext")
    if isinstance(own, dict):
        workload.record(_CONTAINER, own, workload.of_service("spec.securityContext"), "the author's is taken whole")
        return own
    reason = "no privileges, unless the service gives a securityContext of its own"
    workload.record(_CONTAINER, _UNPRIVILEGED, workload.operator.name, reason)
    return _UNPRIVILEGED

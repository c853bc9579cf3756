"""The group of the render device, without which a container that isn't root can't open it and llama.cpp falls back to the CPU.

The operator adds it (`--dri-render-gid`, from v0.9.18) only to pods whose author gave no podSecurityContext and whose resource is
exactly devic.es/dri-render. Weighbridge fills in the group for the other pods if it is known: the nodes set it, so it can't be guessed.
A podSecurityContext in the service replaces the operator's as a whole, so Weighbridge's repeats the operator's fields. Root owns the
device, so a container that runs as root needs no group. Whether it does follows from the pod's fields, else from the image: llama.cpp's
own images run as root, but LLMKube's don't.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; upstream issues 727, 1560, 1569, 1572; ggml-org/llama.cpp, .devops.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmkube.fill.situation import Situation
from weighbridge.policies.families.llmkube.predictions.service.image import LLAMACPP_ROCM, LLAMACPP_VULKAN, image
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.subject.gpu import DRI_RENDER
from weighbridge.policies.families.serving_engines.engines import published_engine
from weighbridge.policies.ground.fields import part, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path

PATH: Final[Path] = ("spec", "podSecurityContext")
GROUPS: Final[Path] = (*PATH, "supplementalGroups")

#: Resources that are nothing but a render device.
RENDER_DEVICES: Final = frozenset({DRI_RENDER, "squat.ai/dri-render", "devic.es/rocm"})
_ROOT: Final = 0


def needs_group(situation: Situation) -> bool:
    """Whether the pod's container opens a render device, and isn't known to be root."""
    gpus = situation.gpus
    if gpus.count <= 0 or gpus.vendor == "nvidia" or is_root(situation):
        return False
    renders = gpus.vendor == "amd" and situation.runtime in {"llamacpp", "llamacpp-router"}
    return gpus.resource in RENDER_DEVICES or renders


def operator_adds_group(situation: Situation) -> bool:
    """Whether the operator itself gives the pod the group."""
    operator = situation.operator
    left_open = situation.spec.get("podSecurityContext") is None
    return left_open and situation.gpus.resource == DRI_RENDER and operator.since(0, 9, 18) and operator.dri_render_gid > 0


def group_of(situation: Situation) -> tuple[int, str] | None:
    """The group and the source that names it; `None` if it isn't known."""
    configured, operator = situation.config.settings_of(LLMKube).render_group, situation.operator
    if configured is not None:
        return configured, "configuration"
    if operator.dri_render_gid > 0:
        return operator.dri_render_gid, f"operator --dri-render-gid ({operator.origin('dri_render_gid')})"
    return None


def has_group(spec: JSONObject, group: int | None) -> bool:
    """Whether the pod is in the group; if the group isn't known, whether its author gave it any."""
    groups = part(spec, "podSecurityContext").get("supplementalGroups")
    held: list[JSONValue] = groups if isinstance(groups, list) else []
    return group in held if group is not None else bool(held)


def security_context(situation: Situation) -> Filling | None:
    """The whole podSecurityContext, for a service that has none; `None` if it needs none."""
    found = _missing(situation)
    if found is None or situation.spec.get("podSecurityContext") is not None:
        return None
    group, source = found
    context: JSONObject = {"seccompProfile": {"type": "RuntimeDefault"}}
    if situation.operator.default_fs_group > 0:
        context["fsGroup"] = situation.operator.default_fs_group
    context["supplementalGroups"] = [group]
    return Filling(
        context, source, f"only the device's group may open {situation.gpus.resource}; the rest is what {situation.operator.name} would set"
    )


def groups(situation: Situation) -> list[Filling]:
    """The group to add to a podSecurityContext that the author wrote."""
    found = _missing(situation)
    if found is None or not isinstance(situation.spec.get("podSecurityContext"), dict):
        return []
    return [Filling(found[0], found[1], f"only the device's group may open {situation.gpus.resource}")]


def _missing(situation: Situation) -> tuple[int, str] | None:
    """The group, if the pod needs it and doesn't get it."""
    if not needs_group(situation) or operator_adds_group(situation):
        return None
    found = group_of(situation)
    return None if found is None or has_group(situation.spec, found[0]) else found


def is_root(situation: Situation) -> bool | None:
    """Whether the container runs as root; `None` if the pod doesn't say so and its image isn't known."""
    container, pod = part(situation.spec, "securityContext"), part(situation.spec, "podSecurityContext")
    if container.get("privileged") is True:
        return True
    for context in (container, pod):
        if "runAsUser" in context:
            return whole(context, "runAsUser", -1) == _ROOT
        if context.get("runAsNonRoot") is True:
            return False
    started = image(situation.workload)
    if started in (LLAMACPP_ROCM, LLAMACPP_VULKAN):
        return False
    return True if published_engine(started) == "llama.cpp" else None

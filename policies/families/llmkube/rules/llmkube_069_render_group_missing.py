"""The container can't open the render device: it is neither root nor in the device's group.

llama.cpp then finds no GPU, computes on the CPU at a fraction of the speed, and reports ready. The number of the group depends
on the nodes (it isn't 44, which is video). Set it as the operator's --dri-render-gid or as `llmkube.renderGroup` in the
configuration, and Weighbridge fills it in.

llama.cpp's own images run as root, which owns the device. For an unknown image the finding is a note, because it may run as root
too.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; upstream issues 1560, 1572.
"""

from typing import Final

from weighbridge.policies.families.llmkube.fill.render_group import group_of, has_group, is_root, needs_group, operator_adds_group
from weighbridge.policies.families.llmkube.fill.situation import Situation
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Severity, Violation, with_model

_UNKNOWN_GROUP: Final = "set llmkube.renderGroup of the configuration, or --dri-render-gid of the operator"


@with_model.warning(topic="Services: GPUs and nodes", good="accepts-the-render-group-of-the-author", bad="warns-of-a-missing-render-group")
def check(service: Service) -> Said:
    situation = Situation(service.workload, service.config)
    if not needs_group(situation) or operator_adds_group(situation):
        return
    group, _ = group_of(situation) or (None, "")
    if has_group(service.spec, group):
        return
    is_known = is_root(situation) is not None
    unless = "" if is_known else ", unless its image runs as root"
    yield Violation(
        ("spec", "podSecurityContext", "supplementalGroups"),
        f"the container isn't in the render device's group, so it can't open {service.gpus.resource} and will run on the CPU{unless}",
        expected=str(group) if group is not None else "the group of /dev/dri/renderD128 on the nodes",
        hint=f"add {group} to supplementalGroups" if group is not None else _UNKNOWN_GROUP,
        severity=None if is_known else Severity.NOTE,
    )

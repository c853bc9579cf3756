"""The container can't open the render device: it is neither root nor in the device's group.

llama.cpp finds no GPU then, computes on the CPU at a fraction of the speed and reports itself ready. The group is the nodes' own
(not 44, which is video): set it as the operator's --dri-render-gid or as `llmkube.renderGroup` in the configuration, and it is
filled in.

llama.cpp's own images start as root, which owns the device. Of an image that isn't known this is a note, since it may do so too.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go; upstream issues 1560, 1572.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.defaults.render_group import group_of, has_group, is_root, needs_group, operator_adds_group
from policies.families.llmkube.defaults.situation import Situation
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_UNKNOWN_GROUP: Final = "set llmkube.renderGroup of the configuration, or --dri-render-gid of the operator"


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    situation = Situation(serving.workload, config)
    if serving.pod_model is None or not needs_group(situation) or operator_adds_group(situation):
        return
    group = group_of(situation)
    if has_group(serving.spec, group[0] if group is not None else None):
        return
    is_known = is_root(situation) is not None
    unless = "" if is_known else ", unless its image runs as root"
    finding = RULE.finding(
        ("spec", "podSecurityContext", "supplementalGroups"),
        f"the container isn't in the render device's group, so it can't open {serving.gpus.resource} and will run on the CPU{unless}",
        expected=str(group[0]) if group is not None else "the group of /dev/dri/renderD128 on the nodes",
        hint=f"add {group[0]} to supplementalGroups" if group is not None else _UNKNOWN_GROUP,
    )
    yield finding if is_known else replace(finding, severity=Severity.NOTE)


RULE = Rule(
    id="LLMKUBE-069",
    name="render-group-missing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: amd, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 1, vendor: amd, runtime: vulkan}}}"
    ),
    check=_check,
    good="modelRef: amd\npodSecurityContext: {supplementalGroups: [991]}",
    bad="modelRef: amd",
)

"""The tolerations that a pod needs for the nodes that offer its GPU.

The operator tolerates one taint: the resource's name (or `gpu.tolerationKey`) with the value `present` and the effect NoSchedule. Nodes
often have others, such as `nvidia.com/gpu=true` or the taint of a spot pool. Weighbridge looks at the nodes that could run the pod
without their taints, and adds tolerations for

- taints about GPUs that reserve nothing: they only exclude pods that need no GPU;
- other taints that all of these nodes have: they mark the GPU nodes, and without a toleration no pod would ever run.

It leaves to the author a taint that only some of these nodes have, such as a team's reservation, and taints of a node's lifecycle and
role. It doesn't change a list of tolerations that the author wrote.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go and docs/site/guides/karpenter-gpu-autoscaling.md.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.tolerations import read_tolerations
from weighbridge.policies.families.fill.taints import configured_tolerations, missing_taints, tolerations_of
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmkube.fill.situation import Situation
from weighbridge.policies.families.llmkube.predictions.service.scheduling import node_selector
from weighbridge.policies.families.llmkube.predictions.service.scheduling import tolerations as pod_tolerations
from weighbridge.policies.ground.fields import amount, part
from weighbridge.policies.ground.objects import JSONObject, Path

PATH: Final[Path] = ("spec", "tolerations")


def tolerations(situation: Situation) -> list[Filling]:
    """The tolerations to add to those of the service: the configured ones, then those that the nodes make necessary."""
    gpus, config = situation.gpus, situation.config
    if gpus.count <= 0:
        return []
    held = read_tolerations(pod_tolerations(situation.workload))
    found = configured_tolerations(gpus.resource, held, config)
    held += read_tolerations([filling.value for filling in found])
    pod = _pod(situation)
    missing = missing_taints(pod, gpus.resource, held, situation.facts, config)
    if missing and gpus.claims:
        # With resource claims a list in the service replaces the operator's own toleration.
        written = read_tolerations(situation.spec.get("tolerations"))
        missing = missing_taints(pod, gpus.resource, written, situation.facts, config)
    return [*found, *tolerations_of(missing, gpus.resource)]


def _pod(situation: Situation) -> JSONObject:
    """The pod with all that decides on which nodes it may run, without its tolerations."""
    spec = situation.spec
    resources = part(spec, "resources")
    memory = resources.get("hostMemory") or resources.get("memory")
    asked = {name: text for name, text in (("cpu", resources.get("cpu")), ("memory", memory)) if amount(text) is not None}
    limits = {situation.gpus.resource: str(situation.gpus.count)}
    container = {"name": "engine", "resources": {"limits": limits, "requests": {**asked, **limits}}}
    pod: JSONObject = {"containers": [container]}
    if isinstance(spec.get("affinity"), dict):
        pod["affinity"] = spec["affinity"]
    pod["nodeSelector"] = node_selector(situation.workload)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": pod}

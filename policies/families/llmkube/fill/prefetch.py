"""`prefetchTolerations` of a Model, because the Job that prefetches it has no other tolerations.

If the cache is on the GPU nodes (node-local storage), the Job must run on one of them. GPU nodes are tainted, so the Job and the
services would stay Pending. The Job requests no GPU, so the operator doesn't add its own toleration either. Weighbridge fills in the
field only if the installed CRD has it; it came after v0.9.19.

Source: LLMKube at 2026-08-22, internal/controller/model_prefetch.go; upstream issue 1621 and pull request 1622.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_items
from weighbridge.policies.families.fill.value import Filling, fields_of_spec
from weighbridge.policies.families.llmkube.fill.situation import ITEM_NO_LONGER
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request, operator_resource
from weighbridge.policies.ground.fields import flag, text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup
from weighbridge.policies.ground.request import Request

PATH: Final[Path] = ("spec", "prefetchTolerations")
_FETCHED: Final = ("http://", "https://", "hf://")


def fill_prefetch_tolerations(mutation: Mutation, request: Request, operator: KnownOperator, facts: Facts, config: Configuration) -> None:
    """Add the tolerations that the Job needs for the nodes with the Model's GPU, and update those that were added before."""
    if PATH[1] not in (fields_of_spec(request.gvk, facts) or ()):
        return

    settle_items(mutation, PATH, lambda model: _wanted(model, operator, facts, config), no_longer=ITEM_NO_LONGER)


def _wanted(model: JSONObject, operator: KnownOperator, facts: Facts, config: Configuration) -> list[Filling]:
    spec, gpu = spec_of(model), gpu_request(model)
    if not flag(spec, "prefetch") or not text(spec, "source").lower().startswith(_FETCHED):
        return []
    if not gpu.wanted or gpu.claims:
        return []
    from weighbridge.policies.facts.tolerations import read_tolerations
    from weighbridge.policies.families.fill.taints import missing_taints, tolerations_of

    resource = gpu.resource_name.strip() or operator_resource(gpu.vendor, gpu.runtime, operator)
    limits = {resource: str(max(gpu.count, 1))}
    container = {"name": "engine", "resources": {"limits": limits, "requests": limits}}
    pod: JSONObject = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": {"containers": [container]}}
    missing = missing_taints(pod, resource, read_tolerations(lookup(model, PATH)), facts, config)
    return tolerations_of(missing, resource, ", and the cache may be on it")

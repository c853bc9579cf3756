"""The namespaces that a GPUQuota covers, and what a service takes of it, which is the same for the quota webhook and the controller.

Source: LLMKube v0.9.19, internal/controller/{gpuquota_controller,gpu_sharing}.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.facts.selectors import selector_problems, selects
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.gpu import gpu_count
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import amount, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import dataclass, replace

GIB: Final = 1 << 30
#: The kinds on which the charge of a service depends.
_CHARGED_KINDS: Final = ((GROUP, "InferenceService"), (GROUP, "Model"))
_PARTITION: Final = expression(r"[0-9]+g\.([0-9]{1,9})gb", re.ASCII)


@dataclass(frozen=True, slots=True)
class Charge:
    """What a service takes of a quota: GPUs, and bytes of their memory, which are `None` if upstream can't derive them."""

    gpus: int
    vram: int | None


@dataclass(frozen=True, slots=True)
class Usage:
    """What the services of a quota take together; memory that can't be derived counts as 0.

    `is_whole` says whether all services and Models are known; otherwise the real sum may be greater.
    """

    gpus: int
    vram: int
    is_whole: bool


def charge(service: JSONObject, namespace: str, facts: Facts, operator: KnownOperator) -> Charge:
    """The charge of a service, even if it is suspended or has no pod; a Model that isn't known counts as missing."""
    spec = spec_of(service)
    gpu = part(facts.objects.get(GROUP, "Model", namespace, text(spec, "modelRef")), "spec", "hardware", "gpu")
    resources = part(spec, "resources")
    count, _ = gpu_count(gpu, resources)
    replicas = whole(spec, "replicas", 1)
    most = whole(part(spec, "autoscaling"), "maxReplicas", replicas)
    vram = _pod_vram(count, gpu, part(resources, "gpuSharing"), operator)
    return Charge(count * most, None if vram is None else vram * replicas)


def _pod_vram(count: int, gpu: JSONObject, sharing: JSONObject, operator: KnownOperator) -> int | None:
    """The bytes of GPU memory of one pod; `None` if it isn't known."""
    mode = text(sharing, "mode") if operator.since(0, 9, 9) else ""
    if mode == "partitioned":
        partition = _PARTITION.fullmatch(text(sharing, "profile").strip())
        return int(partition[1]) * GIB or None if partition is not None else None
    if mode == "shared":
        limit = whole(sharing, "memoryLimitGiB")
        if limit > 0:
            return limit * GIB
        memory = amount(text(gpu, "memory").strip() or None)
        return memory.value() if memory is not None and memory.value() > 0 else None
    return count * operator.vram_per_device_gib * GIB if operator.vram_per_device_gib > 0 else None


def covers(quota: JSONObject, namespace: str, facts: Facts) -> bool | None:
    """Whether a quota's scope holds a namespace; `None` if that depends on labels that aren't known."""
    spec = spec_of(quota)
    if namespace and text(spec, "namespaceRef") == namespace:
        return True
    selector = spec.get("selector")
    if not isinstance(selector, dict) or any(selector_problems(selector)):
        return False
    if not selector.get("matchLabels") and not selector.get("matchExpressions"):
        return True
    labels = namespace_labels(namespace, facts.objects)
    return None if labels is None else selects(selector, labels)


def admission_usage(namespace: str, facts: Facts, operator: KnownOperator, *, by_labels: bool, besides: tuple[str, str]) -> Usage:
    """The usage that the webhook sums up for a quota of a namespace, or for all namespaces with `by_labels`.

    `besides` is the namespace and name of a service that isn't counted.
    """
    if not namespace and not by_labels:
        return usage_of((), facts, operator)
    # The sum of a namespace, or of all, is the same for all quotas and services.
    key = admission_usage, namespace, operator.since(0, 9, 9), operator.vram_per_device_gib
    whole_usage = facts.objects.once(_CHARGED_KINDS, key, lambda: usage_of(_services_of(namespace, facts), facts, operator))
    own = facts.objects.get(GROUP, "InferenceService", *besides)
    if not isinstance(own, dict) or namespace not in {"", besides[0]}:
        return whole_usage
    taken = charge(own, besides[0], facts, operator)
    return replace(whole_usage, gpus=whole_usage.gpus - taken.gpus, vram=whole_usage.vram - (taken.vram or 0))


def _services_of(namespace: str, facts: Facts) -> Iterable[JSONObject]:
    """The services of a namespace; without one all."""
    return facts.objects.list(GROUP, "InferenceService", namespace or None)


def usage_by_namespace(facts: Facts, operator: KnownOperator) -> Mapping[str, Usage]:
    """The usage of the services of each namespace that has any. It is the same for all quotas."""

    def work_out() -> Mapping[str, Usage]:
        services: dict[str, list[JSONObject]] = {}
        for service in _services_of("", facts):
            services.setdefault(namespace_of(service), []).append(service)
        return {namespace: usage_of(found, facts, operator) for namespace, found in services.items()}

    key = usage_by_namespace, operator.since(0, 9, 9), operator.vram_per_device_gib
    return facts.objects.once(_CHARGED_KINDS, key, work_out)


def usage_of(services: Iterable[JSONObject], facts: Facts, operator: KnownOperator) -> Usage:
    """The usage of all these services together."""
    gpus = vram = 0
    for service in services:
        taken = charge(service, namespace_of(service), facts, operator)
        gpus, vram = gpus + taken.gpus, vram + (taken.vram or 0)
    return Usage(gpus, vram, all(facts.objects.knows_all(GROUP, kind) for kind in ("InferenceService", "Model")))

"""Findings about the admission of a workload's pods that don't concern all of them: warnings of PodSecurity, and exceeded quotas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.security.standard import PREFIX, Standard, standards_for, standards_in
from weighbridge.policies.verdict.judgement import NEVER_ADMITTED, PODS_VIOLATE, QUOTA_EXCEEDED

if TYPE_CHECKING:
    from weighbridge.policies.placement.queues.trouble import QueueTrouble

_QUEUE_NAME: Final = "kueue.x-k8s.io/queue-name"
#: The fields of a workload that have templates of its pods.
_WITH_TEMPLATES: Final = frozenset({"template", "leaderWorkerTemplate", "jobTemplate", "headGroupSpec", "workerGroupSpecs"})
#: The usual name of Volcano's scheduler.
_VOLCANO: Final = "volcano"


def remarks(made: Sequence[JSONObject], namespace: str, facts: Facts, config: Configuration) -> Sequence[Finding]:
    """The findings about the admission of the pods of these workloads."""
    if standards_in(namespace, facts.objects, config.server_settings).are_free:
        return ()
    return list(dict.fromkeys(_violations(made, namespace, facts, config)))


def quota_findings(
    request: Request,
    made: Callable[[], Sequence[JSONObject]],
    replaced: Callable[[], Sequence[JSONObject]],
    facts: Facts,
    config: Configuration,
) -> Sequence[Finding]:
    """The findings about quotas that aren't enough for all that a request creates; on an update the stored object gives back its own.

    `made` and `replaced` are called only if the namespace has a quota.
    """
    # Quotas don't count objects without a namespace.
    if not request.namespace or next(iter(facts.objects.list("", "ResourceQuota", request.namespace)), None) is None:
        return ()
    from weighbridge.policies.verdict.pods.quota_sums import over_quotas

    stored = replaced() if request.operation is Operation.UPDATE else ()
    return over_quotas(request, made(), stored, facts, config)


def queue_findings(made: Sequence[JSONObject], namespace: str, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    """The findings that queues never admit workloads. The modules about queues are imported when the first workload has one."""
    for workload in made:
        for trouble in _troubles(workload, made, namespace_of(workload) or namespace, facts, config):
            if trouble.is_unknown:
                yield Unchecked("queue", trouble.message)
            else:
                yield Finding(NEVER_ADMITTED, Severity.WARNING, (), trouble.message, hint=trouble.hint)


def _troubles(
    workload: JSONObject, made: Sequence[JSONObject], namespace: str, facts: Facts, config: Configuration
) -> Iterator[QueueTrouble]:
    holders = [workload, *_templates(workload)]
    if any(_QUEUE_NAME in part(holder, "metadata", "labels") for holder in holders):
        from weighbridge.policies.placement.queues.kueue import queue_troubles

        yield from queue_troubles(workload, facts, namespace)
    of_ray = part(workload, "metadata", "labels").get("ray.io/scheduler-name")
    if of_ray == _VOLCANO or any(part(holder, "spec").get("schedulerName") == _VOLCANO for holder in holders):
        from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler
        from weighbridge.policies.facts.expected import nodes_to_come
        from weighbridge.policies.placement.queues.volcano import volcano_troubles

        def may_grow(pod: JSONObject) -> bool:
            return bool(config.declared_nodes) or has_autoscaler(facts.objects) or bool(nodes_to_come(facts, pod))

        yield from volcano_troubles(workload, made, facts, namespace, may_grow)


def _templates(workload: JSONObject) -> list[JSONObject]:
    """The templates of a workload's pods."""
    spec = part(workload, "spec")
    if _WITH_TEMPLATES.isdisjoint(spec):
        return []
    group, ray = part(spec, "leaderWorkerTemplate"), (part(spec, "headGroupSpec"), *items(spec, "workerGroupSpecs"))
    own = (
        part(spec, "template"),
        part(group, "workerTemplate"),
        part(group, "leaderTemplate"),
        part(spec, "jobTemplate", "spec", "template"),
    )
    return [found for found in (*own, *(part(one, "template") for one in ray)) if found]


def unsaid_remarks(remarks: Sequence[Finding], ruled: Sequence[Finding], family: Family | None) -> Sequence[Finding]:
    """The remarks, without those about quotas of devices if a rule reports them."""
    if family is None or not any(map(_is_about_devices, remarks)):
        return remarks
    is_said = any(family.speaks_of_quota(finding.rule) for finding in ruled)
    return [remark for remark in remarks if not (is_said and _is_about_devices(remark))]


def _is_about_devices(finding: Finding) -> bool:
    """Whether a finding says only that a quota of devices is exceeded."""
    keys = [entry.partition("=")[0] for entry in finding.found.split(",")]
    return finding.rule == QUOTA_EXCEEDED and all(key.startswith("requests.") and "/" in key for key in keys)


def forbids_pods(namespace: str, facts: Facts, config: Configuration) -> bool:
    """Whether something in a namespace may refuse pods, whatever the nodes are."""
    store = facts.objects
    return (
        not standards_in(namespace, store, config.server_settings).enforce.is_free
        or next(iter(store.list("", "LimitRange", namespace)), None) is not None
        or next(iter(store.list("", "ResourceQuota", namespace)), None) is not None
    )


def _violations(made: Sequence[JSONObject], namespace: str, facts: Facts, config: Configuration) -> Iterator[Finding]:
    """The warnings of PodSecurity; its refusals are reported elsewhere."""
    from weighbridge.policies.pods.security.workloads import violation
    from weighbridge.policies.pods.workloads import pods_of

    for workload in made:
        pods = pods_of(workload)
        if not pods:
            continue
        space = namespace_of(workload) or namespace
        standards = standards_for(next(iter(pods.values())), space, facts.objects, config.server_settings)
        if standards.are_free or violation(workload, pods, standards.enforce):
            continue
        warned = violation(workload, pods, standards.warn)
        if warned:
            yield Finding(PODS_VIOLATE, Severity.WARNING, (), warned, hint=_origin(standards.warn, space, "warn", facts))
            continue
        audited = violation(workload, pods, standards.audit)
        if audited:
            yield Finding(PODS_VIOLATE, Severity.NOTE, (), audited, hint=_origin(standards.audit, space, "audit", facts))


def _origin(standard: Standard, namespace: str, mode: str, facts: Facts) -> str:
    """The consequence, and the origin of the standard."""
    what = "warns and accepts the pods" if mode == "warn" else "writes it into the audit log and accepts the pods"
    labels = namespace_labels(namespace, facts.objects) or {}
    key = next((key for key in (f"{PREFIX}{mode}", f"{PREFIX}enforce") if key in labels), "")
    whose = f"label {key} of namespace {namespace}" if key else "the API server's default"
    return f"the API server only {what}; {standard.level} is by {whose}"

"""What the admission of pods says of a workload's pods and doesn't keep all of them away: warnings of PodSecurity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.pods.security.standard import PREFIX, Standard, standards_for, standards_in

#: The id of the finding that pods break the standard which their namespace warns of, or writes into the audit log.
PODS_VIOLATE: Final = "POD-001"


def remarks(made: Sequence[JSONObject], namespace: str, facts: Facts, config: Configuration) -> Sequence[Finding]:
    """The findings about the admission of the pods of these workloads."""
    if standards_in(namespace, facts.objects, config.server_settings).are_free:
        return ()
    return list(dict.fromkeys(_violations(made, namespace, facts, config)))


def forbids_pods(namespace: str, facts: Facts, config: Configuration) -> bool:
    """Whether something in a namespace may keep pods away, whatever the nodes are."""
    store = facts.objects
    return (
        not standards_in(namespace, store, config.server_settings).enforce.is_free
        or next(iter(store.list("", "LimitRange", namespace)), None) is not None
        or next(iter(store.list("", "ResourceQuota", namespace)), None) is not None
    )


def _violations(made: Sequence[JSONObject], namespace: str, facts: Facts, config: Configuration) -> Iterator[Finding]:
    """The warnings of PodSecurity; of pods that it refuses the refusal is said elsewhere."""
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
    """What follows, and where the standard comes from."""
    what = "warns and takes the pods" if mode == "warn" else "writes it into the audit log and takes the pods"
    labels = namespace_labels(namespace, facts.objects) or {}
    key = next((key for key in (f"{PREFIX}{mode}", f"{PREFIX}enforce") if key in labels), "")
    whose = f"label {key} of namespace {namespace}" if key else "the API server's default"
    return f"the API server only {what}; {standard.level} is by {whose}"

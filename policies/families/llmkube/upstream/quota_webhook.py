"""LLMKube's validating webhook for quotas (`vinferenceservicequota.inference.llmkube.dev`): whether it refuses an InferenceService.

It is only installed with `multitenancy.enabled`. First it checks how the service shares and splits GPUs, then every GPUQuota whose scope
has the namespace, unless Kueue queues the service. It never learns what a cost budget has left. If several quotas object, it names the one
that its cache lists first; here they are ordered by namespace and name. Source: LLMKube v0.9.19,
internal/controller/inferenceservice_quota_webhook.go and internal/webhook/quota/decision.go; measured.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import StrEnum
from functools import cache, partial
from typing import Final

from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.quota_charges import Charge, Usage, admission_usage, charge, covers
from weighbridge.policies.families.llmkube.subject.references import GROUP, model_of
from weighbridge.policies.families.llmkube.upstream import gpu_shares, parallelism
from weighbridge.policies.ground.fields import text, text_map, whole
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass

WEBHOOK: Final = "vinferenceservicequota.inference.llmkube.dev"
#: The label of a service that Kueue queues; the webhook leaves its quotas to Kueue.
KUEUE_QUEUE: Final = "kueue.x-k8s.io/queue-name"
PRIORITIES: Final = {"critical": 1_000_000, "high": 100_000, "normal": 10_000, "low": 1_000, "batch": 100}
_UNKNOWN_VRAM: Final = (
    "cannot derive the VRAM footprint required by this quota's vramBytes cap: declare gpuSharing.memoryLimitGiB (shared), a partition "
    "profile (partitioned), or configure --gpu-sharing-vram-per-device-gib for exclusive workloads"
)


class Limit(StrEnum):
    """A limit of a quota that a service can exceed."""

    MEMORY_UNKNOWN = "memory-unknown"
    GPUS = "gpus"
    MEMORY = "memory"
    PRIORITY = "priority"


#: The limits on what all services of a quota take together.
_SUMS: Final = frozenset({Limit.GPUS, Limit.MEMORY})
_ALL: Final = frozenset(Limit)
#: The kinds that decide on the scopes of quotas.
_SCOPE_KINDS: Final = ((GROUP, "GPUQuota"), ("", "Namespace"))
_BY_LABELS: Final = None


@dataclass(frozen=True, slots=True)
class Excess:
    """A limit that a service exceeds; `reason` is the webhook's message."""

    quota: JSONObject
    limit: Limit
    reason: str


@dataclass(frozen=True, slots=True)
class _Tightest:
    """The tightest limits of all quotas of a scope: a service within these is within the limits of each quota. 0 if no quota has such a
    limit.
    """

    gpus: int
    vram: int
    priority: int

    def are_kept(self, service: JSONObject, taken: Charge | None, usage: Callable[[], Usage] | None) -> bool:
        """Whether a service is within all of the quotas; `usage` is what other services take, if the sums are to be checked."""
        if weight(text(spec_of(service), "priority")) < self.priority:
            return False
        if taken is None:
            return True
        if self.vram and taken.vram is None:
            return False
        return usage is None or not any(_exceeded({"gpuCount": self.gpus, "vramBytes": self.vram}, taken, usage()))


def applicable(namespace: str, facts: Facts) -> tuple[list[JSONObject], list[JSONObject]]:
    """The GPUQuotas whose scope has a namespace, and those whose scope isn't known, both by namespace and name."""
    return facts.objects.once(_SCOPE_KINDS, (applicable, namespace), lambda: _applicable(namespace, facts))


def _applicable(namespace: str, facts: Facts) -> tuple[list[JSONObject], list[JSONObject]]:
    found: dict[bool | None, list[JSONObject]] = {True: [], None: [], False: []}
    may_hold: dict[tuple[str, str], JSONObject] = {}
    labels = namespace_labels(namespace, facts.objects)
    by_labels = (_BY_LABELS,) if labels is None else ((_BY_LABELS, None), *((_BY_LABELS, label) for label in labels.items()))
    for scope in (namespace, *by_labels):
        may_hold.update(facts.objects.readings_where(GROUP, "GPUQuota", itself, _scopes, scope))
    for _, quota in sorted(may_hold.items()):
        found[covers(quota, namespace, facts)].append(quota)
    return found[True], found[None]


def _scope(quota: JSONObject) -> tuple[str, bool]:
    """How a quota selects the services that it counts: the namespace, and whether by labels."""
    spec = spec_of(quota)
    return text(spec, "namespaceRef"), isinstance(spec.get("selector"), dict)


def _tightest(namespace: str, facts: Facts) -> dict[tuple[str, bool], _Tightest]:
    """The tightest limits by scope, of the quotas whose scope has a namespace."""
    return facts.objects.once(_SCOPE_KINDS, (_tightest, namespace), lambda: _worked_out(applicable(namespace, facts)[0]))


def _worked_out(quotas: Sequence[JSONObject]) -> dict[tuple[str, bool], _Tightest]:
    by_scope: dict[tuple[str, bool], list[JSONObject]] = {}
    for quota in quotas:
        by_scope.setdefault(_scope(quota), []).append(spec_of(quota))
    return {
        scope: _Tightest(
            gpus=min(whole(spec, "gpuCount") for spec in specs),
            vram=min((cap for spec in specs if (cap := whole(spec, "vramBytes")) > 0), default=0),
            priority=max((weight(minimum) for spec in specs if (minimum := text(spec, "minPriority"))), default=0),
        )
        for scope, specs in by_scope.items()
    }


def _scopes(quota: JSONObject) -> Iterator[Hashable]:
    """The keys of a quota's scope: the namespace that it names, a key for all quotas with a selector, and one for a label that its selector
    demands, if there is one.
    """
    yield text(spec_of(quota), "namespaceRef")
    if isinstance(selector := spec_of(quota).get("selector"), dict):
        yield _BY_LABELS
        yield _BY_LABELS, next(iter(text_map(selector, "matchLabels").items()), None)


def excesses(
    service: JSONObject, namespace: str, facts: Facts, operator: KnownOperator, limits: frozenset[Limit] = _ALL
) -> Iterator[Excess]:
    """The ways in which a service exceeds these limits of the quotas of its namespace; for each quota the webhook's reason comes first."""
    quotas = [] if is_queued(service) else applicable(namespace, facts)[0]
    if not quotas:
        return
    # The check of the priority doesn't need to know what the service takes.
    taken = charge(service, namespace, facts, operator) if limits != {Limit.PRIORITY} else None

    @cache
    def used_in(scope: str, by_labels: bool) -> Usage:
        # The usage of the other services is the same for all quotas of one scope.
        return admission_usage(scope, facts, operator, by_labels=by_labels, besides=(namespace, name_of(service)))

    sums = limits & _SUMS
    tight = {
        scope
        for scope, tightest in _tightest(namespace, facts).items()
        if not tightest.are_kept(service, taken, partial(used_in, *scope) if sums else None)
    }
    for quota in quotas if tight else ():
        if _scope(quota) in tight:
            found = _reasons(quota, service, taken, limits, used_in)
            yield from (Excess(quota, limit, reason) for limit, reason in found if limit in limits)


def _reasons(
    quota: JSONObject, service: JSONObject, taken: Charge | None, limits: frozenset[Limit], used_in: Callable[[str, bool], Usage]
) -> Iterator[tuple[Limit, str]]:
    spec = spec_of(quota)
    if taken is not None and whole(spec, "vramBytes") > 0 and taken.vram is None:
        yield Limit.MEMORY_UNKNOWN, _UNKNOWN_VRAM
    if taken is not None and limits & _SUMS:
        # It takes a while to add up the other services, so this is done only if it is asked for.
        yield from _exceeded(spec, taken, used_in(*_scope(quota)))
    minimum, priority = text(spec, "minPriority"), text(spec_of(service), "priority")
    if minimum and weight(priority) < weight(minimum):
        yield Limit.PRIORITY, f"priority {quote(priority)} below minimum {quote(minimum)}"


def _exceeded(quota: JSONObject, taken: Charge, usage: Usage) -> Iterator[tuple[Limit, str]]:
    allowed, cap = whole(quota, "gpuCount"), whole(quota, "vramBytes")
    if usage.gpus + taken.gpus > allowed:
        yield Limit.GPUS, f"would exceed gpuCount {allowed} (current {usage.gpus} + requested {taken.gpus})"
    if cap > 0 and usage.vram + (taken.vram or 0) > cap:
        yield Limit.MEMORY, f"would exceed vramBytes {cap} (current {usage.vram} + requested {taken.vram or 0})"


def weight(priority: str) -> int:
    """The weight of a priority; an empty or unknown one counts as normal."""
    return PRIORITIES.get(priority, PRIORITIES["normal"])


def is_queued(service: JSONObject) -> bool:
    """Whether Kueue queues the service, so that GPUQuotas don't apply to it."""
    return bool(text_map(service, "metadata", "labels").get(KUEUE_QUEUE))


def refusal(service: JSONObject, namespace: str, facts: Facts, operator: KnownOperator, config: Configuration) -> Refusal | None:
    """The webhook's refusal, without the API server's words before it; `None` if it accepts the service or isn't installed."""
    if not operator.quota_webhook or not operator.since(0, 9, 6):
        return None
    model = model_of(service, namespace, facts, config)
    problem = (
        gpu_shares.problem(model, service, operator)
        or gpu_shares.split_problem(service, operator)
        or parallelism.problem(model, service, operator)
    )
    if problem:
        return Refusal(403, f"invalid gpuSharing spec: {problem}")
    first = next(excesses(service, namespace, facts, operator), None)
    return Refusal(403, f"GPUQuota {quote(name_of(first.quota))} denied: {first.reason}") if first is not None else None

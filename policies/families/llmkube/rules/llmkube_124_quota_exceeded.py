"""A service takes more than a GPUQuota of its namespace leaves.

Charged are the GPUs of one pod (of the Model, else of the service) times the most replicas that autoscaling may ask for,
suspended or not; memory goes by `replicas`. Where the quota webhook is installed it refuses the service and so does this;
elsewhere this warns, and refuses once it is set to deny. A change that takes less than before, as a service is scaled down,
only warns. A service that Kueue queues is Kueue's matter. Without the webhook, quotas that aren't known aren't asked after.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go, internal/webhook/quota/decision.go; measured.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_for
from weighbridge.policies.families.llmkube.predictions.quota import charge
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.llmkube.upstream.quota_webhook import Excess, Limit, applicable, excesses, has_quotas, is_queued
from weighbridge.policies.ground.fields import part, whole
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.request import Request


@objects.error(
    kinds=("InferenceService",),
    mirrors="vinferenceservicequota.inference.llmkube.dev",
    reads=("Deployment.apps", "GPUQuota", "InferenceService", "Model", "Namespace"),
    good="accepts-a-service-that-kueue-queues",
    bad="warns-above-a-quota-without-webhook",
)
def check(given: Given) -> Said:
    service = given.object
    if is_queued(service) or not _may_be_limited(given.facts):
        return
    operator = operator_for(*given)
    if not operator.since(0, 9, 6):
        return
    namespace = given.request.namespace or namespace_of(service)
    refuses = operator.quota_webhook and not _asks_for_less(given.request, namespace, given.facts, operator)
    severity = Severity.ERROR if refuses else Severity.WARNING
    found = list(excesses(service, namespace, given.facts, operator, frozenset({Limit.GPUS, Limit.MEMORY})))
    for excess in found:
        yield replace(_finding(excess, service), severity=severity)
    known, undecided = applicable(namespace, given.facts)
    if operator.quota_webhook and not given.facts.objects.knows_all(GROUP, "GPUQuota"):
        yield NotChecked("not all GPUQuotas of the cluster are known")
    elif undecided:
        yield NotChecked(f'the labels of namespace "{namespace}" aren\'t known, and GPUQuota {name_of(undecided[0])} selects by them')
    elif known and not found and not all(given.facts.objects.knows_all(GROUP, kind) for kind in ("InferenceService", "Model")):
        yield NotChecked("not all services and Models of the cluster are known, so more of the quota may be taken")


def _may_be_limited(facts: Facts) -> bool:
    return has_quotas(facts) or not facts.objects.knows_all(GROUP, "GPUQuota")


def _asks_for_less(request: Request, namespace: str, facts: Facts, operator: KnownOperator) -> bool:
    """Whether an update takes less of the quota than before: on the way down nobody is held back."""
    if not isinstance(request.object, dict) or not isinstance(request.old_object, dict):
        return False
    before, after = (charge(service, namespace, facts, operator) for service in (request.old_object, request.object))
    return after.gpus < before.gpus and (after.vram or 0) <= (before.vram or 0)


def _finding(excess: Excess, service: JSONObject) -> Violation:
    return Violation(
        _path(service),
        f"GPUQuota {name_of(excess.quota)}: {excess.reason}",
        hint="ask for less, or make room in the quota",
    )


def _path(service: JSONObject) -> Path:
    """The field by which the service could ask for less."""
    spec = spec_of(service)
    if part(spec, "autoscaling"):
        return ("spec", "autoscaling", "maxReplicas")
    return ("spec", "replicas") if whole(spec, "replicas", 1) > 1 else ("spec", "resources", "gpu")

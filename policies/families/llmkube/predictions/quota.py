"""The usage that the operator writes into the status of a GPUQuota.

It differs from the sum of the quota webhook: for a quota with a selector, the webhook counts the services of all namespaces, the controller
only those of the matching namespaces. Source: LLMKube v0.9.19, internal/controller/{gpuquota_controller,gpu_sharing}.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.selectors import selector_failure
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.subject.quota_charges import Usage, covers, usage_by_namespace, usage_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request


def status_usage(quota: JSONObject, facts: Facts, operator: KnownOperator) -> Usage:
    """The usage as the controller sums it, over the services in the namespaces of the quota's scope."""
    usages = usage_by_namespace(facts, operator)
    scope = {namespace: covers(quota, namespace, facts) for namespace in usages}
    covered = [usage for namespace, usage in usages.items() if scope[namespace]]
    is_whole = usage_of((), facts, operator).is_whole and None not in scope.values()
    return Usage(sum(usage.gpus for usage in covered), sum(usage.vram for usage in covered), is_whole)


def quota(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The status of a GPUQuota, into which the operator writes nothing but usage."""
    if not isinstance(request.object, dict):
        return None
    operator = operator_of(facts, config)
    if not operator.since(0, 9, 6):
        return Prediction({}, settings=operator.settings(), failure=f"{operator.name} has no GPUQuota")
    failure = selector_failure(spec_of(request.object).get("selector"))
    if failure:
        return Prediction({}, settings=operator.settings(), failure=f"failed to convert GPUQuota selector: {failure}")
    usage = status_usage(request.object, facts, operator)
    written = {"usedGPUCount": usage.gpus, "usedVRAMBytes": usage.vram}
    unknown = () if usage.is_whole else (Unchecked("status", "not all services, Models and namespaces of the cluster are known"),)
    return Prediction({name: value for name, value in written.items() if value}, settings=operator.settings(), unchecked=unknown)

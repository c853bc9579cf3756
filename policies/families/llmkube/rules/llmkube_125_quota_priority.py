"""A service's priority is below what a GPUQuota of its namespace asks for.

`minPriority` refuses everything below it, whatever is left of the quota; a service without a priority is normal. Where
the quota webhook is installed it refuses the service and so does this; elsewhere this warns.

Source: LLMKube v0.9.19, internal/webhook/quota/decision.go; measured.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.upstream.quota_webhook import PRIORITIES, Limit, excesses, has_quotas, weight
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import name_of, namespace_of


@objects.error(
    kinds=("InferenceService",),
    mirrors="vinferenceservicequota.inference.llmkube.dev",
    reads=("Deployment.apps", "GPUQuota", "Namespace"),
    good="warns-above-a-quota-without-webhook",
    bad="refuses-a-priority-below-the-quota",
)
def check(given: Given) -> Said:
    service = given.object
    if not has_quotas(given.facts):
        return
    operator = operator_for(*given)
    if not operator.since(0, 9, 6):
        return
    severity = Severity.ERROR if operator.quota_webhook else Severity.WARNING
    for excess in excesses(service, given.request.namespace or namespace_of(service), given.facts, operator, frozenset({Limit.PRIORITY})):
        least = text(spec_of(excess.quota), "minPriority")
        allowed = [name for name, heavy in PRIORITIES.items() if heavy >= weight(least)]
        finding = Violation(
            ("spec", "priority"),
            f"GPUQuota {name_of(excess.quota)}: {excess.reason}",
            found=text(spec_of(service), "priority") or "normal",
            expected=", ".join(allowed),
        )
        yield replace(finding, severity=severity)

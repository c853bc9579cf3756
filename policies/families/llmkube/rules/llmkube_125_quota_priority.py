"""A service's priority is below what a GPUQuota of its namespace asks for.

`minPriority` refuses everything below it, whatever is left of the quota; a service without a priority is normal. Where
the quota webhook is installed it refuses the service and so does this; elsewhere this warns.

Source: LLMKube v0.9.19, internal/webhook/quota/decision.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.upstream.quota_webhook import PRIORITIES, Limit, excesses, has_quotas, weight
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = request.object
    if not isinstance(service, dict) or not has_quotas(facts):
        return
    operator = operator_for(request, facts, config)
    if not operator.since(0, 9, 6):
        return
    severity = Severity.ERROR if operator.quota_webhook else Severity.WARNING
    for excess in excesses(service, request.namespace or namespace_of(service), facts, operator, frozenset({Limit.PRIORITY})):
        least = text(spec_of(excess.quota), "minPriority")
        allowed = [name for name, heavy in PRIORITIES.items() if heavy >= weight(least)]
        finding = RULE.finding(
            ("spec", "priority"),
            f"GPUQuota {name_of(excess.quota)}: {excess.reason}",
            found=text(spec_of(service), "priority") or "normal",
            expected=", ".join(allowed),
        )
        yield replace(finding, severity=severity)


RULE = Rule(
    id="LLMKUBE-125",
    name="quota-priority",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/webhook/quota/decision.go",
    mirrors="vinferenceservicequota.inference.llmkube.dev",
    reads=("Deployment.apps", "GPUQuota", "Namespace"),
    check=_check,
    good="modelRef: llama\npriority: high",
    bad="modelRef: llama\npriority: batch",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: GPUQuota
metadata: {name: team, namespace: default}
spec: {namespaceRef: default, gpuCount: 4, minPriority: normal}
""",
)

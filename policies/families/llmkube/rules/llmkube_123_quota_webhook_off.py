"""A GPUQuota in a cluster whose quota webhook isn't installed.

Only that webhook refuses anything; the controller just counts. The chart installs it with `multitenancy.enabled`, which
is off unless set. Whether it is can't be seen from the operator's flags: the configuration says so, with
`llmkube.operator.quotaWebhook`. A quota that the CRD refuses anyway isn't spoken of.

Source: LLMKube v0.9.19, charts/llmkube/templates/webhook.yaml and values.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    operator = operator_for(request, facts, config)
    if not operator.quota_webhook and spec_of(request.object).get("gpuCount") is not None:
        yield RULE.finding(
            ("spec",),
            f"isn't enforced, since {operator.name}'s quota webhook isn't installed ({operator.origin('quota_webhook')})",
            hint="set multitenancy.enabled of the chart and llmkube.operator.quotaWebhook, or set rule LLMKUBE-124 to deny",
        )


RULE = Rule(
    id="LLMKUBE-123",
    name="quota-webhook-off",
    severity=Severity.WARNING,
    kinds=("GPUQuota",),
    since="0.1.0",
    source="LLMKube v0.9.19 charts/llmkube/templates/webhook.yaml",
    reads=("Deployment.apps",),
    check=_check,
    good="{}",
    bad="gpuCount: 4\nnamespaceRef: default",
)

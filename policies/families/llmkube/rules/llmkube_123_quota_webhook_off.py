"""A GPUQuota has no effect, because the quota webhook isn't installed.

Only that webhook refuses services; the controller just counts. The chart installs it with `multitenancy.enabled`, which
is off by default. The operator's flags don't show whether the webhook is installed: declare it in the configuration
with `llmkube.operator.quotaWebhook`. The rule is silent about a quota that the CRD refuses anyway.

Source: LLMKube v0.9.19, charts/llmkube/templates/webhook.yaml; charts/llmkube/values.yaml.
"""

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, quotas


@quotas.warning(
    topic="GPUQuotas", reads=("Deployment.apps",), good="accepts-a-quota-for-a-namespace", bad="warns-of-a-quota-without-its-webhook"
)
def check(quota: Given) -> Said:
    operator = operator_for(*quota)
    if not operator.quota_webhook and quota.spec.get("gpuCount") is not None:
        yield Violation(
            ("spec",),
            f"isn't enforced, since {operator.name}'s quota webhook isn't installed ({operator.origin('quota_webhook')})",
            hint="set multitenancy.enabled of the chart and llmkube.operator.quotaWebhook, or set rule LLMKUBE-124 to deny",
        )

"""A GPUQuota is for a namespace without a name.

The CRD requires exactly one of `selector` and `namespaceRef`, and accepts an empty `namespaceRef`. No namespace has an
empty name, so the quota silently limits nothing.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, quotas


@quotas.error(topic="GPUQuotas", good="accepts-a-quota-for-a-namespace", bad="refuses-a-quota-for-no-namespace")
def check(quota: Given) -> Said:
    if quota.spec.get("namespaceRef") == "":
        yield Violation(
            ("spec", "namespaceRef"),
            "is empty, so the quota limits no namespace",
            expected="the name of a namespace",
            hint="name the namespace, or replace it by a selector of namespaces' labels",
        )

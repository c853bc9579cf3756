"""A service's priority is below the minimum of a GPUQuota of its namespace.

With `minPriority` a quota refuses every service below it, whatever is left of the quota. A service without a priority
counts as normal. If the quota webhook is installed, it refuses the service, and so does this rule; otherwise the rule
warns.

Source: LLMKube v0.9.19, internal/webhook/quota/decision.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Severity, Violation, name_of, services, spec_of, text
from weighbridge.policies.families.llmkube.rules._quotas import quota_excesses
from weighbridge.policies.families.llmkube.upstream.quota_webhook import PRIORITIES, WEBHOOK, Limit, weight


@services.error(
    topic="Services: GPUQuotas",
    mirrors=WEBHOOK,
    reads=("Deployment.apps", "GPUQuota", "Namespace"),
    good="accepts-the-least-priority-of-a-quota",
    bad="refuses-a-priority-below-the-quota",
)
def check(service: Service) -> Said:
    for excess in quota_excesses(service, Limit.PRIORITY):
        least = weight(text(spec_of(excess.quota), "minPriority"))
        yield Violation(
            ("spec", "priority"),
            f"GPUQuota {name_of(excess.quota)}: {excess.reason}",
            found=text(service.spec, "priority") or "normal",
            expected=", ".join(name for name, heavy in PRIORITIES.items() if heavy >= least),
            severity=None if service.operator.quota_webhook else Severity.WARNING,
        )

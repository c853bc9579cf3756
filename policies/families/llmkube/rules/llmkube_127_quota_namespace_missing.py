"""A GPUQuota is for a namespace that doesn't exist.

`namespaceRef` may name any namespace, not just the quota's own. The operator never reports one that doesn't exist. The
namespace may come later in the same rollout, so the rule only warns.

Source: LLMKube v0.9.19, internal/controller/gpuquota_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, quotas, text
from weighbridge.policies.families.references import NAMESPACES


@quotas.warning(
    topic="GPUQuotas", reads=("Namespace",), good="accepts-a-quota-for-a-namespace", bad="warns-of-a-quota-for-a-missing-namespace"
)
def check(quota: Given) -> Said:
    named = text(quota.spec, "namespaceRef")
    if named:
        said = f'namespace "{named}" doesn\'t exist, so the quota limits nothing'
        yield from NAMESPACES.missing(quota, ("spec", "namespaceRef"), named, said, otherwise=0)

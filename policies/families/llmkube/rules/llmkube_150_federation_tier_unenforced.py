"""A federated cluster has a tier of data residency, which nothing enforces.

`dataResidencyTier` is written down and shown. No request is kept in or out of a site by it yet.

Source: LLMKube v0.9.19, docs/federation/registry-and-status.md and internal/controller/federatedcluster_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    tier = text(spec_of(request.object), "dataResidencyTier")
    if tier:
        yield RULE.finding(("spec", "dataResidencyTier"), "is shown but not enforced; no request is routed by it", found=tier)


RULE = Rule(
    id="LLMKUBE-150",
    name="federation-tier-unenforced",
    severity=Severity.WARNING,
    kinds=("FederatedCluster",),
    since="0.1.0",
    source="LLMKube v0.9.19 docs/federation/registry-and-status.md",
    check=_check,
    good="heartbeatIntervalSeconds: 30",
    bad="heartbeatIntervalSeconds: 30\ndataResidencyTier: eu",
)

"""A federated cluster sets a tier of data residency, which nothing enforces.

The operator stores and shows `dataResidencyTier`, but doesn't route requests by it yet.

Source: LLMKube v0.9.19, docs/federation/registry-and-status.md; internal/controller/federatedcluster_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, clusters, text


@clusters.warning(topic="FederatedClusters", good="accepts-a-federated-cluster", bad="warns-of-a-tier-that-nothing-enforces")
def check(cluster: Given) -> Said:
    tier = text(cluster.spec, "dataResidencyTier")
    if tier:
        message = "is shown but not enforced; no request is routed by it"
        yield Violation(("spec", "dataResidencyTier"), message, found=tier, hint="keep the data in its region by other means")

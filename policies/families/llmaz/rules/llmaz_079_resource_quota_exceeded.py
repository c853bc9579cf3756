"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

llmaz makes its LeaderWorkerSet, but the API server refuses the pods that go beyond the quota; only an event
on what makes the pods says so. Compared is the quota's `hard` limit of the GPU's resource, and for a new object what its `status` says is
left. Quotas with scopes aren't looked at.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from weighbridge.policies.families.gpu_quotas import devices_of, objections
from weighbridge.policies.families.llmaz.predictions.leader_worker_set import workload_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Serving, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS


@services.warning(
    reads=tuple(sorted((*CLAIM_READS, "ResourceQuota"))),
    good="accepts-as-many-gpus-as-the-quota-allows",
    bad="warns-of-a-resource-quota",
)
def check(serving: Serving, given: Given) -> Said:
    workload = workload_of(serving)
    devices = devices_of([workload]) if workload is not None else {}
    yield from objections(given, devices, ("spec", "replicas"), lower="lower the replicas, claim a flavor with fewer GPUs")

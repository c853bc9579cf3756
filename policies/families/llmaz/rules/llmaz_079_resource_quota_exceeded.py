"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

llmaz creates its LeaderWorkerSet, but the API server refuses the pods that exceed the quota; only an event of the object that creates
the pods reports it. The rule compares the pods with the quota's `hard` limit of the GPU resource, and for a new object with what is left
by the quota's `status`. It ignores quotas with scopes. Lower the replicas, claim a flavor with fewer GPUs, or raise the quota.

Source: Kubernetes v1.36, pkg/quota/v1/evaluator/core/pods.go.
"""

from weighbridge.policies.families.gpu_quotas import objections
from weighbridge.policies.families.llmaz.predictions.leader_worker_set import workload_of
from weighbridge.policies.families.llmaz.rulebook import CLAIM_READS, QUOTA, Given, Said, Service, services


@services.warning(
    reads=(*CLAIM_READS, "ResourceQuota"),
    good="accepts-as-many-gpus-as-the-quota-allows",
    bad="warns-of-a-resource-quota",
    about=QUOTA,
)
def check(service: Service, given: Given) -> Said:
    workload = workload_of(service)
    made = [workload] if workload is not None else ()
    yield from objections(given, made, ("spec", "replicas"), lower="lower the replicas, claim a flavor with fewer GPUs")

"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

OME creates its Deployments or LeaderWorkerSets, but the API server refuses the pods that exceed the quota; only an event of the object
that creates the pods reports it. The rule compares the pods with the quota's `hard` limit of the GPU resource, and for a new object with
what is left by the quota's `status`. It ignores quotas with scopes. Lower the replicas or the GPUs, or raise the quota.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from weighbridge.policies.families.gpu_quotas import objections
from weighbridge.policies.families.ome.rulebook import QUOTA, WORKLOAD_READS, Given, Said, Workloads, workloads


@workloads.warning(
    reads=tuple(sorted((*WORKLOAD_READS, "ResourceQuota"))),
    good="accepts-as-many-gpus-as-the-quota-allows",
    bad="warns-of-a-resource-quota",
    about=QUOTA,
)
def check(made: Workloads, given: Given) -> Said:
    yield from objections(
        given, made.objects if not made.failure else (), ("spec",), lower="lower the replicas or the GPUs of the components"
    )

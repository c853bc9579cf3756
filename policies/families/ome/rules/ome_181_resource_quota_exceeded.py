"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

OME makes its Deployments or LeaderWorkerSets, but the API server refuses the pods that go beyond the quota; only an event on what makes the
pods says so. The rule compares the quota's `hard` limit of the GPU's resource, and for a new object what its `status` says is left. It
leaves out quotas with scopes. Lower the replicas or the GPUs, or raise the quota.

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

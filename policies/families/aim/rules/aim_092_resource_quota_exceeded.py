"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

KServe creates its Deployment, but the API server refuses the pods that exceed the quota; only an event of the ReplicaSet reports it. The
rule compares the pods with the quota's `hard` limit of the GPU resource, and for a new object with what is left by the quota's `status`.
It ignores quotas with scopes. Lower the replicas, or use a template with fewer GPUs.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from weighbridge.policies.families.aim.rulebook import QUOTA, Given, Said, Service, reads_of_services, services
from weighbridge.policies.families.gpu_quotas import objections


@services.warning(
    reads=reads_of_services("ResourceQuota"), good="accepts-as-many-gpus-as-the-quota-allows", bad="warns-of-a-resource-quota", about=QUOTA
)
def check(service: Service, given: Given) -> Said:
    return objections(given, service.placed, ("spec",), lower="lower the replicas, use a template with fewer GPUs")

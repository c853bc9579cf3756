"""A ResourceQuota of the namespace doesn't allow as many GPUs as the replicas need.

The operator creates the Deployment, but the API server refuses the pods that exceed the quota; only an event of the ReplicaSet reports it.
The rule compares the pods with the quota's `hard` limit of the GPU resource, and for a new service with what is left by the quota's
`status`. It ignores quotas with scopes.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from weighbridge.policies.families.gpu_quotas import over_quota
from weighbridge.policies.families.llmkube.rulebook import QUOTA, Operation, Said, Service, Violation, with_model
from weighbridge.policies.families.llmkube.subject.replicas import least_replicas


@with_model.warning(
    topic="Services: GPUs and nodes",
    reads=("Deployment.apps", "Model", "ResourceQuota"),
    good="accepts-a-resource-quota-of-some-pods",
    bad="warns-of-a-resource-quota-that-others-use",
    about=QUOTA,
)
def check(service: Service) -> Said:
    gpus, asked, request = service.gpus, least_replicas(service.spec), service.request
    if gpus.count <= 0 or asked.count < 1:
        return
    is_new = request.operation is Operation.CREATE
    for over in over_quota({gpus.resource: asked.count * gpus.count}, service.facts, service.namespace, is_new=is_new):
        yield Violation(
            asked.path if asked.count > 1 else ("spec", "modelRef"),
            str(over),
            found=f"{over.wanted} {over.resource}",
            expected=f"at most {over.left} {over.resource}",
            hint="lower the replicas or the count of GPUs, or raise the quota",
        )

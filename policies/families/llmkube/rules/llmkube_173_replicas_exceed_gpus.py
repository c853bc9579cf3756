"""The replicas together need more GPUs than the cluster has.

One pod fits, but not all of them: the others stay Pending, also while nothing else runs. The GPUs of the nodes that the selector leaves
count, whole pods at a time. The rule is silent where an autoscaler may bring more nodes or the configuration expects them.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; Kubernetes v1.36, plugin NodeResourcesFit.
"""

from __future__ import annotations

from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, with_model
from weighbridge.policies.families.llmkube.subject.gpu_nodes import gpu_nodes
from weighbridge.policies.families.llmkube.subject.replicas import least_replicas
from weighbridge.policies.families.unschedulable import node_may_come


@with_model.warning(
    reads=(
        "ConfigMap/cluster-autoscaler-status",
        "Deployment.apps",
        "InferenceService",
        "MachineDeployment.cluster.x-k8s.io",
        "MachinePool.cluster.x-k8s.io",
        "MachineSet.cluster.x-k8s.io",
        "Model",
        "Node",
        "NodePool.karpenter.sh",
        "PersistentVolumeClaim",
        "Service",
    ),
    good="accepts-some-layers-on-the-gpu",
    bad="warns-of-more-replicas-than-gpus",
)
def check(service: Service) -> Said:
    gpus, facts, asked = service.gpus, service.facts, least_replicas(service.spec)
    if gpus.count <= 0 or asked.count < 2 or facts.inventory is None:
        return
    room = sum(size * (node.amounts.get(gpus.resource, 0) // gpus.count) for node, size in gpu_nodes(service))
    # Where not even one pod has room, LLMKUBE-082 says why.
    if not 0 < room < asked.count or has_autoscaler(facts.objects):
        return
    if not node_may_come(gpus.resource, gpus.count, facts, service.config):
        needed = f"{asked.count * gpus.count} {gpus.resource}"
        yield Violation(
            asked.path,
            f"{asked.count} replicas need {needed}, and the nodes that they may go to have room for {room}",
            found=str(asked.count),
            expected=f"at most {room}",
            hint=f"lower it to {room}, or declare the nodes that will come in expectedNodes",
        )

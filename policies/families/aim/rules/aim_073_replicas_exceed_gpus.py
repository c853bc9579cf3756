"""The replicas together need more GPUs than the cluster has.

One pod fits, but not all of them: the others stay Pending, also while nothing else runs. What counts are the GPUs of the nodes that have
the template's GPU, whole pods at a time. Nothing is said where an autoscaler may bring more nodes or the configuration expects them.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36, plugin NodeResourcesFit.
"""

from __future__ import annotations

from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler
from weighbridge.policies.families.aim.predictions.gpus import DEVICE_ID, device_ids, normalised
from weighbridge.policies.families.aim.predictions.workload import gpus_of, replicas
from weighbridge.policies.families.aim.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.aim.rules._examples import MAY_COME, SERVICE_READS
from weighbridge.policies.families.unschedulable import node_may_come
from weighbridge.policies.ground.fields import text, whole
from weighbridge.policies.ground.objects import lookup


@services.warning(
    reads=tuple(sorted((*SERVICE_READS, *MAY_COME))),
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-more-replicas-than-gpus",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.work is None or given.facts.inventory is None:
        return
    (resource, count), asked = gpus_of(serving.work), whole(replicas(serving.work), "minReplicas", 1)
    if count <= 0 or asked < 2 or has_autoscaler(given.facts.objects) or node_may_come(resource, count, given.facts, given.config):
        return
    model = text(lookup(serving.work.template_spec, serving.dialect.hardware), "model")
    ids = frozenset(device_ids(normalised(model, serving.dialect)))
    nodes = [node for node in given.facts.inventory.nodes_with(resource) if not ids or node.labels.get(DEVICE_ID) in ids]
    room = sum(node.amounts.get(resource, 0) // count for node in nodes)
    # Where not even one pod has room, PLACE-001 says why.
    if 0 < room < asked:
        field = "minReplicas" if serving.spec.get("minReplicas") is not None else "replicas"
        yield Violation(
            ("spec", field),
            f"{asked} replicas need {asked * count} {resource}, and the nodes that they may go to have room for {room}",
            found=str(asked),
            expected=f"at most {room}",
            hint=f"lower it to {room}, or declare the nodes that will come in expectedNodes",
        )

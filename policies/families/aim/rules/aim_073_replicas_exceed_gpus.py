"""The replicas together need more GPUs than the cluster has.

One pod fits, but not all of them: the others stay Pending even if nothing else runs. The rule counts the GPUs of the nodes that have the
template's GPU, whole pods at a time. It is silent if an autoscaler may add nodes or if the configuration expects nodes. Lower the number
of replicas, or declare the nodes in `expectedNodes`.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; Kubernetes v1.36, plugin NodeResourcesFit.
"""

from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler
from weighbridge.policies.families.aim.predictions.workload import gpus_of, replicas
from weighbridge.policies.families.aim.rulebook import MAY_COME, Given, Said, Violation, Work, reads_of_services, workloads
from weighbridge.policies.families.aim.subject.gpus import DEVICE_ID, device_ids, normalised
from weighbridge.policies.families.rule import PLACEMENT
from weighbridge.policies.families.unschedulable import node_may_come
from weighbridge.policies.ground.fields import text, whole
from weighbridge.policies.ground.objects import lookup


@workloads.warning(
    reads=reads_of_services(*MAY_COME),
    good="accepts-as-many-replicas-as-gpus",
    bad="warns-of-more-replicas-than-gpus",
    about=PLACEMENT,
)
def check(work: Work, given: Given) -> Said:
    facts, dialect = given.facts, work.dialect
    (resource, count), asked = gpus_of(work), whole(replicas(work), "minReplicas", 1)
    if facts.inventory is None or count <= 0 or asked < 2:
        return
    if has_autoscaler(facts.objects) or node_may_come(resource, count, facts, given.config):
        return
    model = text(lookup(work.template_spec, dialect.hardware), "model")
    ids = frozenset(device_ids(normalised(model, dialect)))
    nodes = facts.inventory.counted(label=DEVICE_ID, resource=resource)
    room = sum(node.amounts.get(resource, 0) // count * size for node, size in nodes if not ids or node.labels.get(DEVICE_ID) in ids)
    # If not even one pod has room, PLACE-001 says why.
    if 0 < room < asked:
        yield Violation(
            ("spec", "minReplicas" if work.spec.get("minReplicas") is not None else "replicas"),
            f"{asked} replicas need {asked * count} {resource}, but the nodes that could run them have room for {room}",
            found=str(asked),
            expected=f"at most {room}",
            hint=f"lower it to {room}, or declare the nodes that will come in expectedNodes",
        )

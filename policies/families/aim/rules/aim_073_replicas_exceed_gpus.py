"""The replicas together need more GPUs than the cluster has.

One pod fits, but not all of them: the others stay Pending, also while nothing else runs. What counts are the GPUs of the nodes that have
the template's GPU, whole pods at a time. Nothing is said where an autoscaler may bring more nodes or the configuration expects them.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36, plugin NodeResourcesFit.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.autoscaling.autoscalers import has_autoscaler
from policies.families.aim.resolve.gpus import DEVICE_ID, device_ids, normalised
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.workload import gpus_of, replicas
from policies.families.aim.rules._examples import MAY_COME, READY, SERVICE_READS
from policies.families.family import Rule
from policies.families.unschedulable import node_may_come
from policies.fields import text, whole
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.work is None or facts.inventory is None:
        return
    (resource, count), asked = gpus_of(serving.work), whole(replicas(serving.work), "minReplicas", 1)
    if count <= 0 or asked < 2 or has_autoscaler(facts.objects) or node_may_come(resource, count, facts, config):
        return
    model = text(lookup(serving.work.template_spec, serving.dialect.hardware), "model")
    ids = frozenset(device_ids(normalised(model, serving.dialect)))
    nodes = [node for node in facts.inventory.nodes_with(resource) if not ids or node.labels.get(DEVICE_ID) in ids]
    room = sum(node.amounts.get(resource, 0) // count for node in nodes)
    # Where not even one pod has room, PLACE-001 says why.
    if 0 < room < asked:
        field = "minReplicas" if serving.spec.get("minReplicas") is not None else "replicas"
        yield RULE.finding(
            ("spec", field),
            f"{asked} replicas need {asked * count} {resource}, and the nodes that they may go to have room for {room}",
            found=str(asked),
            expected=f"at most {room}",
            hint=f"lower it to {room}, or declare the nodes that will come in expectedNodes",
        )


RULE = Rule(
    id="AIM-073",
    name="replicas-exceed-gpus",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36, plugin NodeResourcesFit",
    reads=tuple(sorted((*SERVICE_READS, *MAY_COME))),
    beside=READY,
    check=_check,
    good="""\
model: {name: llama}
replicas: 8""",
    bad="""\
model: {name: llama}
replicas: 9""",
)

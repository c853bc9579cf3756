"""The replicas together need more GPUs than the cluster has.

One pod fits, but not all of them: the others stay Pending, even if nothing else runs. The rule packs the pods onto the nodes that could
run them, with all their requests. It is silent if an autoscaler may add nodes or if the configuration expects nodes.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; Kubernetes v1.36, plugin NodeResourcesFit.
"""

from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.llmkube.rulebook import PLACEMENT, Said, Service, Violation, with_model
from weighbridge.policies.families.llmkube.subject.replicas import least_replicas
from weighbridge.policies.ground.records import replace


@with_model.warning(
    topic="Services: GPUs and nodes",
    reads=tuple(sorted({"Deployment.apps", "InferenceService", "Model", "Service", *READ_BY_PLACEMENT})),
    good="accepts-some-layers-on-the-gpu",
    bad="warns-of-more-replicas-than-gpus",
    about=PLACEMENT,
)
def check(service: Service) -> Said:
    gpus, facts, asked = service.gpus, service.facts, least_replicas(service.spec)
    if gpus.count <= 0 or asked.count < 2 or facts.inventory is None:
        return
    if service.deployment is None or service.deployment_refusal:
        return
    # The module that packs pods takes a while to import, and most services have one replica.
    from weighbridge.policies.placement.packing.remembered import lacking
    from weighbridge.policies.placement.packing.shortages import ShortOf
    from weighbridge.policies.pods.groups import groups_of

    groups = [replace(one, least=asked.count, most=asked.count) for one in groups_of([service.deployment])]
    for found in lacking(groups, [service.deployment], facts, service.config, service.namespace):
        # Where not even one pod has room, LLMKUBE-082 says why.
        if found.of is ShortOf.REPLICAS and found.room and not found.may_come:
            needed = f"{asked.count} replicas need {asked.count * gpus.count} {gpus.resource}"
            message = f"{needed}, but the nodes that could run them have room for {found.room}"
            if found.scarce and gpus.resource not in found.scarce:
                message = f"{asked.count} replicas don't fit on the nodes that they may go to: {found.why}"
            yield Violation(
                asked.path,
                message,
                found=str(asked.count),
                expected=f"at most {found.room}",
                hint=f"lower it to {found.room}, or declare the nodes that will come in expectedNodes",
            )

"""The autoscaler adds replicas that can't mount the volume of the first.

All replicas share one claim. A `ReadWriteOnce` claim can be attached to one node at a time, so a replica on a second node waits for its
volume for ever. A `ReadWriteOncePod` claim is for one pod alone. Placement judges a fixed number of replicas, but doesn't look at
`maxReplicas`. Use a `ReadWriteMany` claim, or a cache for each pod with `modelCache.persistence: Ephemeral`.

Source: Kubernetes v1.36, pkg/controller/volume/attachdetach; upstream issues 728, 1509.
"""

from typing import Final

from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, with_model
from weighbridge.policies.families.llmkube.subject.replicas import least_replicas, most_replicas

_OWN: Final[frozenset[str]] = frozenset()


@with_model.warning(
    topic="Services: replicas and autoscaling",
    reads=tuple(sorted({"Deployment.apps", "InferenceService", "Model", "Service", *READ_BY_PLACEMENT})),
    good="accepts-scaled-replicas-with-caches-of-their-own",
    bad="warns-of-scaled-replicas-that-share-a-cache",
)
def check(service: Service) -> Said:
    asked = most_replicas(service.spec)
    if asked.count < 2 or asked.path[-1] != "maxReplicas" or service.facts.inventory is None:
        return
    if service.deployment is None or service.deployment_refusal:
        return
    # The placement takes a while to import, and most services aren't scaled.
    from weighbridge.policies.families.llmkube.rules._served_pod import served_pod
    from weighbridge.policies.placement.replicas import Sharing, apart

    pod, known = served_pod(service)
    placement = known.place(pod, service.namespace, service.config)
    said = apart(pod, Sharing(asked.count, "replicas", [pod]), _OWN, placement, known.facts, service.namespace)
    if said:
        yield Violation(
            asked.path,
            said.replace("its ", "the ", 1),
            found=str(asked.count),
            expected=str(max(least_replicas(service.spec).count, 1)),
            hint="use a ReadWriteMany claim in modelCache.claimName, or modelCache.persistence: Ephemeral",
        )

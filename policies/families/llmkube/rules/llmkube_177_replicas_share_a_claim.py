"""The autoscaler adds replicas that can't mount the volume of the first.

All replicas share one claim. One that is `ReadWriteOnce` is attached to one node at a time, so a replica on a second node waits for its
volume for good; a claim that is `ReadWriteOncePod` is for one pod alone. Of a fixed number of replicas placement tells; `maxReplicas` it
doesn't look at. Use a claim that is `ReadWriteMany`, or a cache for each pod with `modelCache.persistence: Ephemeral`.

Source: Kubernetes v1.36, pkg/controller/volume/attachdetach; upstream issues 728, 1509.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.kinds import READ_BY_PLACEMENT
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.replicas import least_replicas, most_replicas
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_OWN: Final[frozenset[str]] = frozenset()


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    asked = most_replicas(serving.spec)
    if serving.pod_model is None or asked.count < 2 or asked.path[-1] != "maxReplicas" or facts.inventory is None:
        return
    if serving.deployment is None or serving.deployment_refusal:
        return
    # Placing takes a while to import, and most services aren't scaled.
    from policies.families.llmkube.subject.served_pod import served_pod
    from policies.placement.replicas import apart

    pod, known = served_pod(serving)
    said = apart(pod, asked.count, _OWN, known.place(pod, serving.namespace, config), known.facts, serving.namespace)
    if said:
        yield RULE.finding(
            asked.path,
            said.replace("its ", "the ", 1),
            found=str(asked.count),
            expected=str(max(least_replicas(serving.spec).count, 1)),
            hint="use a ReadWriteMany claim in modelCache.claimName, or modelCache.persistence: Ephemeral",
        )


RULE = Rule(
    id="LLMKUBE-177",
    name="replicas-share-a-claim",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="Kubernetes v1.36 pkg/controller/volume/attachdetach",
    reads=tuple(sorted({"Deployment.apps", "InferenceService", "Model", *READ_BY_PLACEMENT})),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: storage.k8s.io/v1\n"
        "kind: StorageClass\n"
        "metadata: {name: standard, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}\n"
        "provisioner: csi.example.com\n"
        "volumeBindingMode: WaitForFirstConsumer\n"
        "---\n"
        "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: csi.example.com}, spec: {attachRequired: true}}\n"
        "---\n"
        "{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {nvidia.com/gpu: 8, cpu: 32, memory: 64Gi, pods: 110}}}\n"
        "---\n"
        "{apiVersion: v1, kind: Node, metadata: {name: b}, status: {allocatable: {nvidia.com/gpu: 8, cpu: 32, memory: 64Gi, pods: 110}}}"
    ),
    check=_check,
    good="modelRef: gguf\nautoscaling: {maxReplicas: 4}\nmodelCache: {persistence: Ephemeral}",
    bad="modelRef: gguf\nautoscaling: {maxReplicas: 4}\nmodelCache: {persistence: Cached}",
)

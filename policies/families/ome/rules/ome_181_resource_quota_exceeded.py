"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

OME makes its Deployments or LeaderWorkerSets, but the API server refuses the pods that go beyond the quota; only an event
on what makes the pods says so. Compared is the quota's `hard` limit of the GPU's resource, and for a new object what its `status` says is
left. Quotas with scopes aren't looked at.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.gpu_quotas import devices_of, objections
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.rules._examples import CLASS_READS, SERVABLE
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    devices = devices_of(made.objects) if made is not None and not made.failure else {}
    yield from objections(RULE, request, facts, devices, ("spec",), lower="lower the replicas or the GPUs of the components")


RULE = Rule(
    id="OME-181",
    name="resource-quota-exceeded",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="Kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go",
    reads=tuple(sorted((*CLASS_READS, "ResourceQuota"))),
    check=_check,
    beside=(
        f"{SERVABLE.rstrip()}\n---\n{{apiVersion: v1, kind: ResourceQuota, metadata: {{name: gpus, namespace: default}}, "
        "spec: {hard: {requests.nvidia.com/gpu: 2}}}"
    ),
    good="model: {name: llama}\nengine: {minReplicas: 2, runner: {name: ome-container, resources: {limits: {nvidia.com/gpu: '1'}}}}",
    bad="model: {name: llama}\nengine: {minReplicas: 3, runner: {name: ome-container, resources: {limits: {nvidia.com/gpu: '1'}}}}",
)

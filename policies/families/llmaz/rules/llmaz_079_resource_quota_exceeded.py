"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

llmaz makes its LeaderWorkerSet, but the API server refuses the pods that go beyond the quota; only an event
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
from policies.families.llmaz.resolve.made import workload_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    workload = workload_of(reading) if reading is not None else None
    devices = devices_of([workload]) if workload is not None else {}
    yield from objections(RULE, request, facts, devices, ("spec", "replicas"), lower="lower the replicas, claim a flavor with fewer GPUs")


RULE = Rule(
    id="LLMAZ-079",
    name="resource-quota-exceeded",
    severity=Severity.WARNING,
    kinds=("Playground", "Service"),
    since="0.1.0",
    source="Kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go",
    reads=tuple(sorted((*CLAIM_READS, "ResourceQuota"))),
    check=_check,
    beside=(
        f"{BESIDE.rstrip()}\n---\n{{apiVersion: v1, kind: ResourceQuota, metadata: {{name: gpus, namespace: default}}, "
        "spec: {hard: {requests.nvidia.com/gpu: 2}}}"
    ),
    good="modelClaim: {modelName: opt}\nreplicas: 2",
    bad="modelClaim: {modelName: opt}\nreplicas: 3",
)

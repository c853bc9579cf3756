"""A ResourceQuota of the namespace doesn't allow as many GPUs as the pods need.

KServe makes its Deployment, but the API server refuses the pods that go beyond the quota; only an event
on what makes the pods says so. Compared is the quota's `hard` limit of the GPU's resource, and for a new object what its `status` says is
left. Quotas with scopes aren't looked at.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.families.gpu_quotas import devices_of, objections
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    devices = devices_of(serving.objects) if serving is not None else {}
    yield from objections(RULE, request, facts, devices, ("spec",), lower="lower the replicas, take a template with fewer GPUs")


RULE = Rule(
    id="AIM-092",
    name="resource-quota-exceeded",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="Kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go",
    reads=tuple(sorted((*SERVICE_READS, "ResourceQuota"))),
    check=_check,
    beside=(
        f"{READY.rstrip()}\n---\n{{apiVersion: v1, kind: ResourceQuota, metadata: {{name: gpus, namespace: default}}, "
        "spec: {hard: {requests.amd.com/gpu: 2}}}"
    ),
    good="model: {name: llama}\nreplicas: 2",
    bad="model: {name: llama}\nreplicas: 3",
)

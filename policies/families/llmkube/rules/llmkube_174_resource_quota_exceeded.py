"""A ResourceQuota of the namespace doesn't allow as many GPUs as the replicas need.

The Deployment is made, but the API server refuses the pods that go beyond the quota; only an event on the ReplicaSet tells so. Compared is
the quota's `hard` limit of the GPU's resource, and for a new service what its `status` says is left. Quotas with scopes aren't looked at.

Source: Kubernetes v1.36, plugin ResourceQuota, pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.gpu_quotas import over_quota
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.replicas import least_replicas
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    gpus, asked = serving.gpus, least_replicas(serving.spec)
    if serving.pod_model is None or gpus.count <= 0 or asked.count < 1:
        return
    is_new = request.operation is Operation.CREATE
    for over in over_quota({gpus.resource: asked.count * gpus.count}, facts, serving.namespace, is_new=is_new):
        yield RULE.finding(
            asked.path if asked.count > 1 else ("spec", "modelRef"),
            str(over),
            found=str(over.wanted),
            expected=f"at most {over.left}",
            hint="lower the replicas or the count of GPUs, or raise the quota",
        )


RULE = Rule(
    id="LLMKUBE-174",
    name="resource-quota-exceeded",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="Kubernetes v1.36 pkg/quota/v1/evaluator/core/pods.go",
    reads=("Deployment.apps", "Model", "ResourceQuota"),
    beside=(
        f"{GGUF_MODEL}\n---\n{{apiVersion: v1, kind: ResourceQuota, metadata: {{name: gpus, namespace: default}}, "
        "spec: {hard: {requests.nvidia.com/gpu: 2}}}"
    ),
    check=_check,
    good="modelRef: gguf\nreplicas: 2",
    bad="modelRef: gguf\nreplicas: 3",
)

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
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.replicas import Replicas, least_replicas
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.fields import amounts, part
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Operation, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    asked = least_replicas(serving.spec)
    if serving.pod_model is None or serving.gpus.count <= 0 or asked.count < 1:
        return
    is_new = request.operation is Operation.CREATE
    for quota in facts.objects.list("", "ResourceQuota", serving.namespace):
        if not (part(quota, "spec").get("scopes") or part(quota, "spec").get("scopeSelector")):
            yield from _against(serving, asked, quota, is_new)


def _against(serving: Serving, asked: Replicas, quota: JSONObject, is_new: bool) -> Iterator[Finding]:
    gpus = serving.gpus
    key, wanted = f"requests.{gpus.resource}", asked.count * gpus.count
    hard = amounts(quota, "spec", "hard").get(key)
    if hard is None:
        return
    taken = amounts(quota, "status", "used").get(key) if is_new else None
    limit, used = hard.value(), taken.value() if taken is not None else 0
    if wanted <= limit - used:
        return
    left = f"{limit}, of which {used} are taken" if used else str(limit)
    yield RULE.finding(
        asked.path if asked.count > 1 else ("spec", "modelRef"),
        f"the pods need {wanted} {gpus.resource}, but ResourceQuota {name_of(quota)} allows {left}",
        found=str(wanted),
        expected=f"at most {max(limit - used, 0)}",
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

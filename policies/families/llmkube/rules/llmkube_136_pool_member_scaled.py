"""A pool's member is scaled by something else as well.

The pool sets its members' replicas to 1 or 0. With `autoscaling` an HPA scales the same Deployment, and more than one
replica is taken back as soon as the pool is looked at.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.pooling import member_names
from policies.families.llmkube.subject.references import SERVICES
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    namespace = request.namespace or namespace_of(request.object)
    for index, name in enumerate(member_names(request.object)):
        spec = spec_of(SERVICES.get(facts, namespace, name))
        path = ("spec", "members", index, "inferenceServiceRef", "name")
        replicas = whole(spec, "replicas", 1)
        if part(spec, "autoscaling"):
            yield RULE.finding(path, f'"{name}" has autoscaling, and the pool sets its replicas too', found=name, hint="remove autoscaling")
        elif replicas > 1:
            yield RULE.finding(path, f'"{name}" asks for {replicas} replicas, and the pool gives it 1 at most', found=name)


RULE = Rule(
    id="LLMKUBE-136",
    name="pool-member-scaled",
    severity=Severity.WARNING,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    reads=("InferenceService",),
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}]",
    bad="members: [{inferenceServiceRef: {name: mistral}}]",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: llama, namespace: default}
spec: {modelRef: llama}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: mistral, namespace: default}
spec: {modelRef: mistral, autoscaling: {maxReplicas: 3}}
""",
)

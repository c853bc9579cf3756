"""A service is a member of two pools.

Each pool sets the replicas of its members by itself, one to 1 and the other to 0, without end.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.pooling import member_names, pools_with
from policies.families.llmkube.subject.references import GROUP
from policies.findings import Finding, Severity, Unchecked
from policies.objects import name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace, own = request.namespace or namespace_of(request.object), name_of(request.object)
    for index, name in enumerate(member_names(request.object)):
        others = [name_of(pool) for pool in pools_with(facts, namespace, name) if name_of(pool) != own] if name else []
        if others:
            yield RULE.finding(
                ("spec", "members", index, "inferenceServiceRef", "name"),
                f'"{name}" is a member of ModelPool "{others[-1]}" too, and both set its replicas',
                found=name,
                hint="remove the service from one of the pools",
            )
    if not facts.objects.knows_all(GROUP, "ModelPool"):
        yield RULE.unchecked("not all ModelPools of the cluster are known")


RULE = Rule(
    id="LLMKUBE-133",
    name="pool-member-of-two",
    severity=Severity.WARNING,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    reads=("ModelPool",),
    check=_check,
    good="members: [{inferenceServiceRef: {name: mistral}}]",
    bad="members: [{inferenceServiceRef: {name: llama}}]",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: ModelPool
metadata: {name: older, namespace: default}
spec: {members: [{inferenceServiceRef: {name: llama}}]}
""",
)

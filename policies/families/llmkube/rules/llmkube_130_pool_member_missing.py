"""A pool's member is a service that isn't there.

Members are InferenceServices of the pool's namespace. While one is missing the pool is Degraded, and none of the others
is started or stopped. It may come later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.pooling import member_names
from policies.families.llmkube.subject.references import SERVICES
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace = request.namespace or namespace_of(request.object)
    for index, name in enumerate(member_names(request.object)):
        missing = SERVICES.is_missing(facts, namespace, name) if name else False
        if missing is None:
            yield RULE.unchecked(SERVICES.unknown)
            return
        if missing:
            yield RULE.finding(
                ("spec", "members", index, "inferenceServiceRef", "name"),
                f'namespace "{namespace}" has no InferenceService "{name}"; the operator doesn\'t reconcile the pool until it exists',
                found=name,
                nearest=SERVICES.nearest(facts, namespace, name),
                hint="create the service in the pool's namespace, or correct the name",
            )


RULE = Rule(
    id="LLMKUBE-130",
    name="pool-member-missing",
    severity=Severity.WARNING,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    reads=("InferenceService",),
    is_about_reference=True,
    is_about_failure=True,
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}]",
    bad="members: [{inferenceServiceRef: {name: llama}}, {inferenceServiceRef: {name: mistrl}}]",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: llama, namespace: default}
spec: {modelRef: llama}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: mistral, namespace: default}
spec: {modelRef: mistral}
""",
)

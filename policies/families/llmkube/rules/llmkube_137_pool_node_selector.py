"""A pool's nodeSelector is written down and not used.

Nothing hands it on to the members: each goes where its own service says. Members that end on different nodes share no
GPU, and the pool makes them take turns all the same.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.pooling import member_names
from policies.families.llmkube.subject.references import SERVICES
from policies.fields import text_map
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request
from policies.spelling import listed


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace = request.namespace or namespace_of(request.object)
    wanted = text_map(spec_of(request.object), "nodeSelector")
    if not wanted:
        return
    members = [name for name in member_names(request.object) if name]
    without = []
    for name in members:
        own = text_map(spec_of(SERVICES.get(facts, namespace, name)), "nodeSelector")
        if any(own.get(key) != value for key, value in wanted.items()):
            without.append(name)
    if any(SERVICES.is_missing(facts, namespace, name) is None for name in without):
        yield RULE.unchecked(SERVICES.unknown)
    elif without:
        yield RULE.finding(
            ("spec", "nodeSelector"),
            f"isn't applied to the members; {listed(without)} may run on other nodes",
            hint="set the same nodeSelector in each member",
        )


RULE = Rule(
    id="LLMKUBE-137",
    name="pool-node-selector",
    severity=Severity.WARNING,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    reads=("InferenceService",),
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}]\nnodeSelector: {gpu: shared}",
    bad="members: [{inferenceServiceRef: {name: llama}}]\nnodeSelector: {gpu: other}",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: llama, namespace: default}
spec: {modelRef: llama, nodeSelector: {gpu: shared}}
""",
)

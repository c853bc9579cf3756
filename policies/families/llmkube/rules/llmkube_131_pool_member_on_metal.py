"""A pool's member runs on metal, where no pool can hold it back.

A Model on accelerator metal is served by a host's agent and not by a pod, so that there is no GPU to wait for. Upstream
marks the pool Degraded and scales no member.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.pooling import is_metal, member_names
from policies.families.llmkube.subject.references import MODELS, SERVICES
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace = request.namespace or namespace_of(request.object)
    for index, name in enumerate(member_names(request.object)):
        service = SERVICES.get(facts, namespace, name)
        if service is None:
            continue
        model = text(spec_of(service), "modelRef")
        if is_metal(service, namespace, facts, config):
            yield RULE.finding(
                ("spec", "members", index, "inferenceServiceRef", "name"),
                f'Model "{model}" of "{name}" has accelerator metal, so the pool is Degraded and the operator scales none of its members',
                found=name,
                hint="remove the service from the pool",
            )
        elif MODELS.is_missing(facts, namespace, model) is None:
            yield RULE.unchecked(f'Model "{model}" isn\'t known')


RULE = Rule(
    id="LLMKUBE-131",
    name="pool-member-on-metal",
    severity=Severity.ERROR,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelpool_controller.go",
    reads=("InferenceService", "Model"),
    is_about_failure=True,
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}]",
    bad="members: [{inferenceServiceRef: {name: mac}}]",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: llama, namespace: default}
spec: {source: "https://models.example.com/llama.gguf", hardware: {accelerator: cuda, gpu: {enabled: true, count: 1}}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: llama, namespace: default}
spec: {modelRef: llama}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: mac, namespace: default}
spec: {source: "https://models.example.com/mac.gguf", hardware: {accelerator: metal}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: mac, namespace: default}
spec: {modelRef: mac}
""",
)

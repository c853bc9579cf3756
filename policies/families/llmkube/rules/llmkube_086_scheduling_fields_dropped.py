"""The operator's version drops the node selector and tolerations of a service without a GPU.

Until v0.9.16 both reach a pod only where GPUs are counted; a CPU pod lands on any node. Upgrade, or keep other nodes off by other
means.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go; upstream issue 1503.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or serving.gpus.present or serving.operator.since(0, 9, 17):
        return
    for field in serving.names("nodeSelector", "tolerations"):
        yield RULE.finding(
            ("spec", field), f"{serving.operator.name} ignores it, since the pods request no GPU", expected="LLMKube v0.9.17 or newer"
        )


RULE = Rule(
    id="LLMKUBE-086",
    name="scheduling-fields-dropped",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: plain, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf}"
    ),
    config="llmkube: {version: v0.9.5}",
    check=_check,
    good="modelRef: gguf\nnodeSelector: {pool: gpu}",
    bad="modelRef: plain\nnodeSelector: {pool: cpu}",
)

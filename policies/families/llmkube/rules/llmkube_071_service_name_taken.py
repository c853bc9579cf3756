"""Another service of the namespace has the same Service already.

The Service's name is the service's with dashes for dots: `a.b` and `a-b` meet in one. The first one's Service stays and selects its
pods alone; the second shows the same address, and no error.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import address as service
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    name = name_of(serving.service)
    if name and service.is_others(serving.workload):
        yield RULE.finding(
            ("metadata", "name"),
            f'its Service would be named "{service.service_name(name)}", which is the Service of another InferenceService already',
            found=name,
            hint="choose a name that differs by more than dots and dashes",
        )


RULE = Rule(
    id="LLMKUBE-071",
    name="service-name-taken",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/service_builder.go",
    reads=("Deployment.apps", "InferenceService", "Model"),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: InferenceService\n"
        "metadata: {name: first.service, namespace: default}\n"
        "spec: {modelRef: gguf}"
    ),
    check=_check,
    good="metadata: {name: second-service}\nspec: {modelRef: gguf}",
    bad="metadata: {name: first-service}\nspec: {modelRef: gguf}",
)

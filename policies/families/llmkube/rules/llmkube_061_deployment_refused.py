"""The API server will refuse the Deployment that comes of the service.

The operator tells no more than `Failed to create Deployment`; the server's reason stands only in its log. This rule reports it before.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go; Kubernetes v1.36, pkg/apis/apps/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service.labels import LONGEST_VALUE
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.deployment is None or not serving.image or max(len(name_of(serving.service)), len(name_of(serving.model))) > LONGEST_VALUE:
        # Rules of their own speak of long names and of missing images.
        return
    if serving.deployment_refusal:
        yield RULE.finding(
            ("spec",),
            f"Failed to create Deployment: {serving.deployment_refusal}",
            hint="correct the field of the spec or of the Model that this value comes from",
        )


RULE = Rule(
    id="LLMKUBE-061",
    name="deployment-refused",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Deployment.apps", "InferenceService", "Model", "Node", "PersistentVolumeClaim", "Service"),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\ntolerations: [{key: gpu, operator: Exists}]",
    bad="modelRef: gguf\ntolerations: [{key: gpu, operator: Exists, value: 'yes'}]",
)

"""The Model of a service fails.

The operator makes nothing of a service before its Model is Ready, and so before the Model that it drafts with is. The service stays Pending
without a word of why; the Model's own status tells. The Model may be corrected, so this warns. Of a claim that isn't there LLMKUBE-183
speaks.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go and model_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for path, model, state in serving_of(request, facts, config).models():
        if state.problem and not state.lacks_claim:
            message = f"Model {name_of(model)} fails, and nothing is made of the service before it is Ready: {state.problem}"
            yield RULE.finding(path, message, found=name_of(model), hint="correct the Model, or name another one")


RULE = Rule(
    id="LLMKUBE-182",
    name="model-fails",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    mirrors="phase Pending, Waiting for Model to be Ready",
    reads=("Deployment.apps", "Model", "Node", "PersistentVolumeClaim"),
    is_about_failure=True,
    beside=GGUF_MODEL
    + """
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: broken, namespace: default}
spec: {source: model.gguf}""",
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: broken",
)

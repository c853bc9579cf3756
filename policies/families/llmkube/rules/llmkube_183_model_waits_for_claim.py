"""The claim of a service's Model isn't there.

A Model with a source ``pvc://CLAIM/PATH`` fails until the claim exists in its namespace, and the operator makes nothing of a service before
its Model is Ready. The claim may come later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go and model_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.families.llmkube.subject.source import parse
from policies.families.references import CLAIMS
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    for path, model, state in serving.models():
        if state.lacks_claim:
            message = f"Model {name_of(model)} fails, and nothing is made of the service before it is Ready: {state.problem}"
            claim = parse(text(spec_of(model), "source"), serving.operator).claim
            nearest = CLAIMS.nearest(facts, namespace_of(model), claim, otherwise=0)
            yield RULE.finding(path, message, found=name_of(model), nearest=nearest, hint="create the claim first")


RULE = Rule(
    id="LLMKUBE-183",
    name="model-waits-for-claim",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    mirrors="phase Pending, Waiting for Model to be Ready",
    reads=("Deployment.apps", "Model", "Node", "PersistentVolumeClaim"),
    is_about_reference=True,
    is_about_failure=True,
    beside=GGUF_MODEL
    + """
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: other, namespace: default}, status: {phase: Bound}}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: claimed, namespace: default}
spec: {source: pvc://weights/llama.gguf}""",
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: claimed",
)

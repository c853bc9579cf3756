"""The draft Model of speculative decoding isn't there.

`draftModelRef` names a Model of the same namespace, which must be Ready too; until then the service is Failed. It may come later in
the same rollout, so by default this warns; the configuration's `references` decides.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.storage.pod_storage import DRAFTED
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.references import MODELS
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, text
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    block = part(serving.spec, "speculativeDecoding")
    name = text(block, "draftModelRef")
    if serving.is_metal or not name or serving.runtime != "llamacpp" or text(block, "type") not in DRAFTED:
        return
    missing = MODELS.is_missing(facts, serving.namespace, name)
    if missing is None:
        yield RULE.unchecked(MODELS.unknown)
    if not missing:
        return
    yield RULE.finding(
        ("spec", "speculativeDecoding", "draftModelRef"),
        f'namespace "{serving.namespace}" has no Model "{name}"',
        found=name,
        nearest=MODELS.nearest(facts, serving.namespace, name),
        hint="create the Model in the same namespace, or correct the name",
    )


RULE = Rule(
    id="LLMKUBE-048",
    name="draft-model-missing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    mirrors="phase Failed, draft model not found",
    reads=("Model",),
    is_about_reference=True,
    is_about_failure=True,
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: plain, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf}"
    ),
    check=_check,
    good="modelRef: gguf\nspeculativeDecoding: {type: draft-simple, draftModelRef: plain}",
    bad="modelRef: gguf\nspeculativeDecoding: {type: draft-simple, draftModelRef: plane}",
)

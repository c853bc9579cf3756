"""The draft model's file isn't among those that the Model fetches.

`speculativeDecoding.draftModel` names a file of the Model. Where the Model lists `files` and this one isn't among them, llama.cpp
is given a path at which nothing lies, and doesn't start. Where it lists none, the draft is left out and speculation has nothing to
go by.

Source: LLMKube v0.9.19 internal/controller/model_storage.go; upstream issues 1383, 1414.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.resolve.storage.pod_storage import DRAFTED
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, text, texts
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    block, model = part(serving.spec, "speculativeDecoding"), serving.pod_model
    draft = text(block, "draftModel")
    if (
        model is None
        or not draft
        or serving.runtime != "llamacpp"
        or text(block, "type") not in DRAFTED
        or not serving.operator.since(0, 9, 18)
    ):
        return
    files = texts(spec_of(model), "files")
    if draft in files:
        return
    finding = RULE.finding(
        ("spec", "speculativeDecoding", "draftModel"),
        f"Model {name_of(model)} doesn't fetch this file, so llama.cpp can't start"
        if files
        else f"Model {name_of(model)} lists no files, so the draft is ignored",
        found=draft,
        expected=", ".join(files) if files else "a Model with files",
        nearest=similar(draft, files),
        hint=f"add the file to files of Model {name_of(model)}, or name a Model in draftModelRef",
    )
    yield finding if files else replace(finding, severity=Severity.WARNING)


RULE = Rule(
    id="LLMKUBE-076",
    name="draft-file-not-staged",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_storage.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: files, namespace: default}\n"
        "spec: {source: hf://org/model, files: [model.gguf, draft.gguf], hardware: {gpu: {count: 1}}}"
    ),
    check=_check,
    good="modelRef: files\nspeculativeDecoding: {type: draft-simple, draftModel: draft.gguf}",
    bad="modelRef: files\nspeculativeDecoding: {type: draft-simple, draftModel: darft.gguf}",
)

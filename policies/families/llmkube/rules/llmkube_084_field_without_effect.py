"""A field is set that nothing reads in this service.

Some fields are for one engine, some count only with a GPU, some have no effect at all. The operator ignores them silently,
so that what was meant to hold doesn't. This is a note, and a warning where the engine has another field for the same.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go and runtime_*.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.ignored_fields import ignored_fields, misplaced_fields
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.model is None:
        return
    for path, why in misplaced_fields(serving):
        yield replace(RULE.finding(path, why), severity=Severity.WARNING)
    for path, why in ignored_fields(serving):
        yield RULE.finding(path, why)


RULE = Rule(
    id="LLMKUBE-084",
    name="field-without-effect",
    severity=Severity.NOTE,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    reads=("Deployment.apps", "Model"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\ncontextSize: 8192",
    bad="modelRef: gguf\nresources: {gpuMemory: 24Gi}",
)

"""A file is named where none can be.

A single file can only be taken of Huggingface, and then nothing else says which files are meant. Remove the patterns, or the file name.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.upstream.webhooks import Topic, objections
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    for found in objections(request.object, is_create=request.operation is Operation.CREATE):
        if found.topic is Topic.FILENAME:
            yield RULE.finding(
                found.path,
                "a file is named beside patterns of files" if found.path[-1] != "filename" else "ModelScope gives no single files",
                hint="remove the patterns, or spec.source.modelHub.filename",
            )


RULE = Rule(
    id="LLMAZ-006",
    name="filename-unusable",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go",
    mirrors="Once Filename is set, allowPatterns should be nil",
    check=_check,
    good="familyName: qwen\nsource: {modelHub: {modelID: Qwen/Q, filename: q.gguf}}",
    bad='familyName: qwen\nsource: {modelHub: {modelID: Qwen/Q, filename: q.gguf, allowPatterns: ["*"]}}',
)

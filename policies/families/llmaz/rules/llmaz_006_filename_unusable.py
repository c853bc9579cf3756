"""A file is named where none can be.

A single file can only be taken of Huggingface, and then nothing else says which files are meant. Remove the patterns, or the file name.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.objects import Operation


@objects.error(
    kinds=("OpenModel",),
    mirrors="Once Filename is set, allowPatterns should be nil",
    good="accepts-a-single-file",
    bad="refuses-a-file-beside-patterns",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.FILENAME:
            yield Violation(
                found.path,
                "a file is named beside patterns of files" if found.path[-1] != "filename" else "ModelScope gives no single files",
                hint="remove the patterns, or spec.source.modelHub.filename",
            )

"""A model's file name can't be combined with the rest of its source.

Only the hub Huggingface serves single files, and a file name excludes patterns of files. Remove the patterns, or the file
name.

Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Objections, Said, Topic, Violation, objections


@objections(Topic.FILENAME, "OpenModel").error(
    mirrors="Once Filename is set, allowPatterns should be nil", good="accepts-a-single-file", bad="refuses-a-file-with-patterns"
)
def check(objections: Objections) -> Said:
    for found in objections:
        is_hub = found.path[-1] == "filename"
        message = "ModelScope gives no single files" if is_hub else "a file name excludes patterns of files"
        yield Violation(found.path, message, hint="remove the patterns, or spec.source.modelHub.filename")

"""llmaz doesn't read the annotation that leaves out the loader.

llmaz leaves out the loader only for the value `true`, in lower-case letters, and only in an annotation.

Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from weighbridge.policies.families.llmaz.kinds import SKIP_ANNOTATION
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, metadata_of, objects, text_map


@objects.warning(
    kinds=("Playground", "Service"),
    good="accepts-the-annotation-that-leaves-out-the-loader",
    bad="warns-of-an-annotation-with-a-capital",
)
def check(given: Given) -> Said:
    metadata = metadata_of(given.object)
    value = text_map(metadata, "annotations").get(SKIP_ANNOTATION)
    if value is not None and value not in ("true", "false"):
        path = ("metadata", "annotations", SKIP_ANNOTATION)
        yield Violation(path, "the loader runs: only the value true leaves it out", found=value, expected="true")
    elif value is None and SKIP_ANNOTATION in text_map(metadata, "labels"):
        path = ("metadata", "labels", SKIP_ANNOTATION)
        yield Violation(path, "the loader runs: llmaz only reads it as an annotation", hint="make it an annotation")

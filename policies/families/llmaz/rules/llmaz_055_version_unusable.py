"""A version isn't a valid tag of an image.

The image comes from the runtime. Its tag is the Playground's version, or else the runtime's. The schema accepts any text. With a colon or
a blank in the version no node can pull the image (`InvalidImageName`). Write a tag.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

import re
from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, Path, Said, Violation, lookup, objects
from weighbridge.policies.ground.expressions import expression

#: The form in the specification of image references; a digest may follow a tag.
_TAG: Final = expression(
    r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?", re.ASCII
)


@objects.warning(
    kinds=("Playground", "BackendRuntime"),
    good="accepts-another-version-of-the-runtime",
    bad="warns-of-an-empty-version-of-a-playground",
)
def check(given: Given) -> Said:
    is_playground = given.kind == "Playground"
    path: Path = ("spec", "backendRuntimeConfig", "version") if is_playground else ("spec", "version")
    version = lookup(given.object, path)
    # LLMAZ-051 reports a runtime without a version.
    if isinstance(version, str) and not _TAG.fullmatch(version) and (version.strip() or is_playground):
        message = "the version can't be the tag of an image, so no node can fetch the image"
        yield Violation(path, message, found=version, expected="a tag, such as v0.7.3")

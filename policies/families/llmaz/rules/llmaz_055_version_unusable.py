"""A version can't be the tag of an image.

The image comes from the runtime, and its tag is the version: the Playground's, where it has one. The schema takes any text. With a
version that holds a colon or a blank the pods have an image that no node can fetch (`InvalidImageName`).

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request

#: As the specification of image references has it; a digest may follow a tag.
_TAG: Final = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?", re.ASCII
)


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    is_playground = request.gvk.kind == "Playground"
    spec = spec_of(request.object if isinstance(request.object, dict) else None)
    version = (part(spec, "backendRuntimeConfig") if is_playground else spec).get("version")
    path: Path = ("spec", "backendRuntimeConfig", "version") if is_playground else ("spec", "version")
    # Of a runtime without a version another rule tells.
    if isinstance(version, str) and not _TAG.fullmatch(version) and (version.strip() or is_playground):
        message = "the version can't be the tag of an image, so no node can fetch the image"
        yield RULE.finding(path, message, found=version, expected="a tag, such as v0.7.3")


RULE = Rule(
    id="LLMAZ-055",
    name="version-unusable",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "BackendRuntime",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    check=_check,
    good="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {version: v0.7.3}",
    bad='modelClaim: {modelName: opt}\nbackendRuntimeConfig: {version: "vllm/vllm-openai:v0.7.3"}',
)

"""The annotation that leaves out the loader isn't read.

Only the value `true` counts, in small letters, and only as an annotation.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.kinds import SKIP_ANNOTATION
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import text_map
from policies.findings import Finding, Severity
from policies.objects import metadata_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    metadata = metadata_of(request.object)
    value = text_map(metadata, "annotations").get(SKIP_ANNOTATION)
    if value is not None and value not in ("true", "false"):
        path = ("metadata", "annotations", SKIP_ANNOTATION)
        yield RULE.finding(path, "the loader runs: only the value true leaves it out", found=value, expected="true")
    elif value is None and SKIP_ANNOTATION in text_map(metadata, "labels"):
        yield RULE.finding(
            ("metadata", "labels", SKIP_ANNOTATION), "the loader runs: this is read of the annotations", hint="make it an annotation"
        )


RULE = Rule(
    id="LLMAZ-044",
    name="skip-annotation-unread",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/modelsource",
    beside=BESIDE,
    check=_check,
    good='metadata: {annotations: {llmaz.io/skip-model-loader: "true"}}\nspec: {modelClaim: {modelName: opt}}',
    bad='metadata: {annotations: {llmaz.io/skip-model-loader: "True"}}\nspec: {modelClaim: {modelName: opt}}',
)

"""A model of S3 or GCS is claimed, and the loader can't fetch it.

The loader is told nothing of such a source and fails. Engines that read it themselves need the annotation `llmaz.io/skip-model-loader:
"true"`.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.resolve.sources import source_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if reading.skips:
        return
    for model in reading.claims.models:
        known = reading.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is not None and source.scheme in ("S3", "GCS"):
            message = f"the loader can't fetch OpenModel {model.name} of {source.scheme}"
            hint = 'add the annotation llmaz.io/skip-model-loader: "true" and an engine that reads it'
            yield RULE.finding(model.path, message, found=source.uri, hint=hint)


RULE = Rule(
    id="LLMAZ-043",
    name="storage-without-annotation",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/modelsource",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="""\
metadata: {annotations: {llmaz.io/skip-model-loader: "true"}}
spec: {modelClaim: {modelName: bucket}}""",
    bad="modelClaim: {modelName: bucket}",
)

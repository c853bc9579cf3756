"""A model in a folder of the node can't be served with the loader.

llmaz gives its volume the name of the one for downloads, and the LeaderWorkerSet is never applied.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
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
        if source is not None and source.scheme == "HOST":
            message = f"OpenModel {model.name} is in a folder of the node, and llmaz makes two volumes of one name of that"
            yield RULE.finding(model.path, message, found=source.uri, hint="serve it from a hub or from storage")


RULE = Rule(
    id="LLMAZ-041",
    name="folder-of-node-unusable",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    reads=CLAIM_READS,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: folder}",
)

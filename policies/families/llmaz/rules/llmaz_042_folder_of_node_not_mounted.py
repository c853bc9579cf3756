"""A model in a folder of the node isn't mounted.

Without the loader the engine is told the path, but no volume is made: the path is that of the container. Mount it in the templates of a
Service.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.resolve.sources import source_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.fields import items, part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if not reading.skips:
        return
    for model in reading.claims.models:
        known = reading.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is None or source.scheme != "HOST":
            continue
        templates = part(spec_of(request.object), "workloadTemplate")
        mounts = [
            mount for name in templates for one in items(templates, name, "spec", "containers") for mount in items(one, "volumeMounts")
        ]
        if not mounts:
            message = f"OpenModel {model.name} is in a folder of the node, which no volume brings into the pods"
            yield RULE.finding(model.path, message, found=source.uri, hint="mount the folder in the templates of a Service")


RULE = Rule(
    id="LLMAZ-042",
    name="folder-of-node-not-mounted",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="""\
metadata: {annotations: {llmaz.io/skip-model-loader: "true"}}
spec: {modelClaim: {modelName: folder}}""",
)

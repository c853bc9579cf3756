"""A claimed OpenModel is not there.

A Playground waits for it; a Service fails until it appears. Models are of the cluster, not of a namespace.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.families.llmaz.subject.references import MODELS
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    for model in reading.missing:
        if model.name.strip():
            nearest = MODELS.nearest(facts, "", model.name)
            yield RULE.finding(
                model.path, f"OpenModel {model.name} isn't there", found=model.name, nearest=nearest, hint="create it, or correct the name"
            )
    if reading.unknown:
        yield RULE.unchecked(MODELS.unknown)


RULE = Rule(
    id="LLMAZ-024",
    name="model-missing",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    mirrors="Waiting for model creation",
    reads=CLAIM_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: op}",
)

"""The first flavor of a claim isn't one of the model's.

Its limits are those that pods get: there are none, so the engine runs without a GPU, and nobody is told. Names are compared letter by
letter.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.families.llmaz.subject.flavors import flavor_named
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if reading.main is None or not reading.claims.flavors:
        return
    first = reading.claims.flavors[0]
    if flavor_named(reading.flavors, first) is None:
        names = [flavor.name for flavor in reading.flavors]
        message = f"OpenModel {name_of(reading.main)} has no flavor {first}, so the pods get no accelerator"
        yield RULE.finding((*reading.claims.flavors_path, 0), message, found=first, nearest=similar(first, names, otherwise=8))


RULE = Rule(
    id="LLMAZ-025",
    name="flavor-not-of-the-model",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt, inferenceFlavors: [t4]}",
    bad="modelClaim: {modelName: opt, inferenceFlavors: [T4]}",
)

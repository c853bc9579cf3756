"""A flavor of a claim, not the first, isn't one of the model's.

The scheduler plugin then passes over the claim: pods run on any node.

Source: InftyAI/scheduler-plugins 25a11fd ResourceFungibility.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    if reading.main is None:
        return
    names = [flavor.name for flavor in reading.flavors]
    for place, name in enumerate(reading.claims.flavors):
        if place and name not in names:
            message = f"OpenModel {name_of(reading.main)} has no flavor {name}"
            yield RULE.finding((*reading.claims.flavors_path, place), message, found=name, nearest=similar(name, names, otherwise=8))


RULE = Rule(
    id="LLMAZ-026",
    name="later-flavor-not-of-the-model",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="InftyAI/scheduler-plugins 25a11fd ResourceFungibility",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt, inferenceFlavors: [t4, a10]}",
    bad="modelClaim: {modelName: opt, inferenceFlavors: [t4, h100]}",
)

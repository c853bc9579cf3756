"""No node of the cluster could serve a flavor that may be chosen, and nodes could serve another.

Each flavor of the claim, or of the model where the claim names none, is told with its reason. The pods have the first one's limits.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.fitting import fits_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, PLACED_READS
from policies.families.llmaz.subject.flavors import considered
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    fits = fits_of(considered(reading.claims, reading.flavors), facts, config, reading.namespace, reading.own_limits)
    others = [fit.flavor.name for fit in fits if fit.fits]
    for fit in fits if others else ():
        if fit.fits or fit.is_unknown or fit.may_come:
            continue
        message = f"no node could serve flavor {fit.flavor.name}: {fit.reason}"
        hint = f"claim {others[0]} alone or first, which a node could serve"
        yield RULE.finding(reading.claims.flavors_path, message, found=fit.flavor.name, nearest=fit.nearest, hint=hint)


RULE = Rule(
    id="LLMAZ-070",
    name="claimed-flavor-fits-no-node",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    reads=PLACED_READS,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: wide, inferenceFlavors: [t4]}",
    bad="modelClaim: {modelName: wide}",
)

"""No node of the cluster could serve the pods.

Either none could serve any of the flavors, or none has the limits of the first one, which the pods get whichever flavor was meant.
Nodes that autoscalers or the configuration announce count as well.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    if not fits or reading.flavor is None:
        return
    path = reading.claims.flavors_path
    if not any(fit.fits or fit.may_come or fit.is_unknown for fit in fits):
        reasons = "; ".join(f"{fit.flavor.name}: {fit.reason}" for fit in fits)
        yield RULE.finding(path, f"no node could serve any flavor: {reasons}", found=fits[0].flavor.name, nearest=fits[0].nearest)
        return
    first = fits_of([replace(reading.flavor, node_selector={})], facts, config, reading.namespace, reading.own_limits)[0]
    if not (first.fits or first.may_come or first.is_unknown):
        others = [fit.flavor.name for fit in fits if fit.fits]
        message = f"the pods get the limits of flavor {first.flavor.name}, which no node has: {first.reason}"
        hint = f"claim {others[0]} first" if others else "claim a flavor of which there are nodes"
        yield RULE.finding(path, message, found=first.flavor.name, nearest=first.nearest, hint=hint)


RULE = Rule(
    id="LLMAZ-071",
    name="no-flavor-fits",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    reads=PLACED_READS,
    is_about_placement=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: wide, inferenceFlavors: [t4]}",
    bad="modelClaim: {modelName: wide, inferenceFlavors: [l40]}",
)

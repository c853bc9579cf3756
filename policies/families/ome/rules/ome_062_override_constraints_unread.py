"""Constraints stand where OME doesn't read them.

It takes the constraints of a policy from `spec.acceleratorSelector.constraints` alone, also for a component that has a policy of its own.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import ACCELERATED
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for component in ACCELERATED:
        if part(spec, component, "acceleratorOverride", "constraints"):
            yield RULE.finding(
                ("spec", component, "acceleratorOverride", "constraints"),
                "OME doesn't read constraints here",
                hint="write them under spec.acceleratorSelector.constraints, where they hold for all components",
            )


RULE = Rule(
    id="OME-062",
    name="override-constraints-unread",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/selector.go",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {constraints: {minMemory: 40}}
engine: {}
""",
    bad="""\
model: {name: llama}
engine: {acceleratorOverride: {constraints: {minMemory: 40}}}
""",
)

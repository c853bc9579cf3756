"""A policy chooses no accelerator class.

Where a class that the runtime lists isn't there any more, or the constraints leave none, OME goes on without a class and says nothing: the
pods get neither its node labels nor its resources. Name a class, loosen `constraints`, or correct the runtime's list.

Source: OME v0.1.5 pkg/acceleratorclassselector/policies.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, CLASSED
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request
from policies.spelling import listed

#: So many of the classes that are left out are told.
_MOST: Final = 3


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    for choice in serving.classes.values():
        if not choice.policy or choice.name or choice.panics:
            continue
        if choice.unknown:
            yield RULE.unchecked(choice.unknown)
        elif choice.missing:
            gone = f"{listed(choice.missing)} of the runtime's list {'is' if len(choice.missing) == 1 else 'are'} missing"
            yield RULE.finding(
                choice.path,
                f"{choice.policy} chooses no class, since {gone}; the pods go to any node",
                found=choice.policy,
                hint="apply the class, or take it off the runtime's list",
            )
        else:
            yield RULE.finding(
                choice.path,
                f"{choice.policy} chooses no class, since the constraints leave none; the pods go to any node",
                found=choice.policy,
                nearest="; ".join(f"{name}: {reason}" for name, reason in choice.left_out[:_MOST]),
                hint="loosen spec.acceleratorSelector.constraints, or name a class",
            )


RULE = Rule(
    id="OME-014",
    name="policy-chooses-nothing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/policies.go",
    reads=CLASS_READS,
    beside=CLASSED,
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {policy: FirstAvailable, constraints: {minMemory: 40}}
engine: {}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {policy: FirstAvailable, constraints: {minMemory: 141}}
engine: {}
""",
)

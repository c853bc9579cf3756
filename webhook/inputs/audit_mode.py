"""Mode audit: every call is judged as in mode deny, counted and warned of, and nothing is refused or changed.

The mutating webhook fills nothing in there, so the validating one judges the object as it would have been with that.
"""

from __future__ import annotations

from collections.abc import Callable

from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.verdict.engine import Phase

Decided = Callable[[Request, Phase], Decision]


def would_be(decided: Decided, request: Request, phase: Phase) -> Decision:
    """What mode deny would decide, whose mutating webhook comes before the validating one."""
    if phase is Phase.VALIDATE:
        # What is filled in is written into the object that is given, which is the caller's.
        filled = decided(replace(request, object=deep_copy(request.object)), Phase.MUTATE)
        if filled.allowed and filled.patch:
            request = replace(request, object=filled.object)
    return decided(request, phase)


def let_in(decision: Decision, phase: Phase) -> Decision:
    """The answer in mode audit: the object is let in as it is, with a warning of what mode deny would say, unless it would only fill in."""
    if phase is Phase.MUTATE:
        return Decision(allowed=True, code=200)
    refused = () if decision.allowed else (f"Weighbridge is in mode audit; in mode deny it would refuse this: {decision.message}",)
    annotations = {**decision.audit_annotations, **({} if decision.allowed else {"would-refuse": decision.message})}
    return replace(
        decision, allowed=True, code=200, message="", causes=(), warnings=(*refused, *decision.warnings), audit_annotations=annotations
    )

"""A component's canary gets less than nothing, or more than all.

`canaryTrafficPercent` is a share of the traffic, from 0 to 100. Neither OME's schema nor its webhook holds that.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request

_COMPONENTS: Final = ("engine", "decoder", "router")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for name in _COMPONENTS:
        found = part(spec_of(request.object), name).get("canaryTrafficPercent")
        if type(found) is int and not 0 <= found <= 100:
            message = f"{found} is no percentage of the traffic"
            yield RULE.finding(("spec", name, "canaryTrafficPercent"), message, found=str(found), expected="0 to 100")


RULE = Rule(
    id="OME-150",
    name="canary-out-of-range",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {canaryTrafficPercent: 10}
""",
    bad="""\
model: {name: llama}
engine: {canaryTrafficPercent: 110}
""",
)

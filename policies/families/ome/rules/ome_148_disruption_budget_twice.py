"""A component gives both minAvailable and maxUnavailable.

OME makes a PodDisruptionBudget of them, and Kubernetes refuses one with both. The controller then tries for ever, and only its log says
so.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/pdb.
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
        component = part(spec_of(request.object), name)
        if component.get("minAvailable") is not None and component.get("maxUnavailable") is not None:
            message = "a PodDisruptionBudget takes minAvailable or maxUnavailable, not both"
            yield RULE.finding(("spec", name, "minAvailable"), message, hint="leave one of them out")


RULE = Rule(
    id="OME-148",
    name="disruption-budget-twice",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/pdb",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {minAvailable: 1}
""",
    bad="""\
model: {name: llama}
engine: {minAvailable: 1, maxUnavailable: 1}
""",
)

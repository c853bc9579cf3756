"""BestFit has several classes to choose from, and no constraints.

OME's controller reads the constraints without asking whether there are any, and panics for the service again and again. An empty
`constraints: {}` is enough.

Source: OME v0.1.5 pkg/acceleratorclassselector/policies.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, CLASSED, H100
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    for choice in serving.classes.values():
        if choice.panics:
            yield RULE.finding(
                choice.path,
                "OME's controller panics on BestFit with several classes and without constraints",
                found=choice.policy,
                hint="write spec.acceleratorSelector.constraints, {} is enough",
            )


RULE = Rule(
    id="OME-015",
    name="best-fit-panics",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/policies.go",
    reads=CLASS_READS,
    is_about_failure=True,
    beside=CLASSED.replace("[nvidia-h100]", "[nvidia-h100, nvidia-h200]")
    + "---\n"
    + H100.replace("h100", "h200").replace("H100-80GB", "H200-141GB"),
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {policy: BestFit, constraints: {}}
engine: {}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {policy: BestFit}
engine: {}
""",
)

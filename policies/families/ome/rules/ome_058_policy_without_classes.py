"""A service wants an accelerator class by policy, and its runtime lists none.

OME chooses among the classes of `acceleratorRequirements.acceleratorClasses` of the runtime. Where these are none, policy and constraints
have no effect. Name a runtime that lists classes, or leave the policy out.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.families.ome.subject.services import ACCELERATED, has_component
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    runtime = serving.runtime
    if runtime is None or runtime.classes:
        return
    places: list[Path] = [("acceleratorSelector",)]
    places += [(component, "acceleratorOverride") for component in ACCELERATED if has_component(serving.service, component)]
    for place in places:
        policy = text(part(serving.spec, *map(str, place)), "policy")
        if policy:
            yield RULE.finding(
                ("spec", *place, "policy"),
                f"{policy} has nothing to choose from: {runtime.title} lists no accelerator classes",
                found=policy,
                hint="name a runtime that lists classes, or leave the policy out",
            )


RULE = Rule(
    id="OME-058",
    name="policy-without-classes",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/selector.go",
    reads=RUNTIME_READS,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {policy: Cheapest}
engine: {}
""",
)

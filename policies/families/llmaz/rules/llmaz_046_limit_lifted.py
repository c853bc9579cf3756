"""A limit of a Playground is below what its runtime requests, and is raised to that.

The request is the runtime's where the Playground has none. Write the request beside the limit.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.resolve.resources import merged
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    own = part(spec_of(request.object), "backendRuntimeConfig").get("resources")
    if not isinstance(own, dict) or reading.config is None:
        return
    for name, value in merged(own, part(reading.config, "resources")).get("limits", {}).items():
        written = part(own, "limits").get(name)
        if written is not None and written != value and name not in part(own, "requests"):
            message = f"the runtime requests {value} of {name}, to which the limit is raised"
            yield RULE.finding(
                ("spec", "backendRuntimeConfig", "resources", "limits", name), message, found=str(written), hint="give the request as well"
            )


RULE = Rule(
    id="LLMAZ-046",
    name="limit-lifted",
    severity=Severity.WARNING,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="""\
modelClaim: {modelName: opt}
backendRuntimeConfig: {resources: {limits: {cpu: 2}, requests: {cpu: 2}}}""",
    bad="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {resources: {limits: {cpu: 2}}}",
)

"""The path of a route is made of the service's status.

The status is empty when the service is made, so the path first fails or lacks a part; aim-engine writes the route anew once the status is
filled, and the path changes under its users.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/shared/route_template.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.path_template import expressions
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    template = text(part(spec_of(request.object), "routing"), "pathTemplate")
    named = next((found for found in expressions(template) if found.startswith(".status")), "")
    if named:
        yield RULE.finding(
            ("spec", "routing", "pathTemplate"),
            f"{{{named}}} is empty until the service runs, and the path changes then",
            found=template,
            hint="use {.metadata.name} or a label",
        )


RULE = Rule(
    id="AIM-080",
    name="path-of-status",
    severity=Severity.WARNING,
    kinds=(
        "AIMService",
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/shared/route_template.go",
    beside=READY,
    check=_check,
    good="""\
model: {name: llama}
routing: {enabled: true, gatewayRef: {name: gw}, pathTemplate: "/{.metadata.name}"}""",
    bad="""\
model: {name: llama}
routing: {enabled: true, gatewayRef: {name: gw}, pathTemplate: "/{.status.resolvedModel.name}"}""",
)

"""The template of a service's path gives no path.

What stands in braces must be a JSONPath that finds exactly one value of the service: a label that isn't there, a field such as
`.spec.aimModelName` that documents still show, or more than 200 characters are failures. kaiwo then makes no route and the service is
Degraded; aim-engine falls back to `/NAMESPACE/UID` and tells nobody.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/shared/route_template.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.route import route
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    found = route(serving.service, serving.config.spec, serving.dialect)
    if found.problem and (found.path or found.failure):
        yield RULE.finding(
            ("spec", "routing", "pathTemplate"),
            f'"{found.template}" gives no path: {found.problem}',
            found=found.template,
            hint="refer to fields that the service has, such as {.metadata.name}",
        )


RULE = Rule(
    id="AIM-006",
    name="path-template-unusable",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/shared/route_template.go",
    mirrors="PathTemplateInvalid",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good='model: {name: llama}\nrouting: {enabled: true, gatewayRef: {name: gw}, pathTemplate: "/{.metadata.name}"}',
    bad='model: {name: llama}\nrouting: {enabled: true, gatewayRef: {name: gw}, pathTemplate: "/{.spec.aimModelName}"}',
)

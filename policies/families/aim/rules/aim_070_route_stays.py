"""Routing is switched off, and the route stays.

aim-engine makes the HTTPRoute and never removes it while the service is there: it can still be reached. Delete the HTTPRoute by hand.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.resolve.names import runtime_name
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import Operation, lookup, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.operation is not Operation.UPDATE or not isinstance(request.old_object, dict) or request.gvk.group == OLD:
        return
    before, now = (lookup(spec_of(obj), ("routing", "enabled")) for obj in (request.old_object, request.object) if isinstance(obj, dict))
    if before is True and now is not True:
        namespace = request.namespace or namespace_of(request.object)
        made = runtime_name(name_of(request.object), namespace)
        yield RULE.finding(
            ("spec", "routing", "enabled"),
            f"HTTPRoute {made} stays, and the service can still be reached",
            hint=f"afterwards: kubectl delete httproute {made} -n {namespace}",
        )


RULE = Rule(
    id="AIM-070",
    name="route-stays",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/httproute.go",
    check=_check,
    good="""\
spec: {model: {name: llama}, routing: {enabled: true, gatewayRef: {name: gw}}}
old: {model: {name: llama}, routing: {enabled: true, gatewayRef: {name: gw}}}""",
    bad="""\
spec: {model: {name: llama}, routing: {enabled: false, gatewayRef: {name: gw}}}
old: {model: {name: llama}, routing: {enabled: true, gatewayRef: {name: gw}}}""",
)

"""The endpoint picker isn't a Service.

The CRD lets a pool name any kind, but no implementation serves another one: some set InvalidExtensionRef, and one is known to crash. Name
the Service of the picker.

Source: upstream issue 2915; agentgateway issue 1719.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    picker = requested(request).picker
    if picker is not None and not picker.is_service:
        kind = f"{picker.kind}.{picker.group}" if picker.group else picker.kind
        is_group = picker.kind == "Service"
        yield RULE.finding(
            (*picker.path, "group" if is_group else "kind"),
            f'no gateway speaks to a picker of kind "{kind}"',
            found=picker.group if is_group else picker.kind,
            expected="a Service of the core group",
            hint="leave group and kind out, and name the Service of the picker",
        )


RULE = Rule(
    id="GIE-013",
    name="picker-not-a-service",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension issue 2915; agentgateway issue 1719",
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad=(
        "selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\n"
        "endpointPickerRef: {name: epp, kind: Gateway, port: {number: 9002}}"
    ),
)

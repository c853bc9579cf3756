"""The pool names no endpoint picker.

Since v1.6.0 the CRD takes a pool without one. Some gateways then spread requests over the pods by themselves; others set Accepted=False
with the reason EndpointPickerRefMissing and serve nothing. Name the picker, or make sure that the gateway needs none.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/inferencepool_missing_epp_ref.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.kinds import STABLE
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    if pool.group == STABLE and pool.picker is None and pool.ports:
        yield RULE.finding(
            ("spec", "endpointPickerRef"),
            "is missing; gateways that need a picker won't accept the pool",
            expected="name and port of the picker's Service",
            hint="name the Service of the endpoint picker, or use a gateway that needs none",
        )


RULE = Rule(
    id="GIE-014",
    name="picker-left-out",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 conformance/tests/inferencepool_missing_epp_ref.go",
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]",
)

"""The endpoint picker is looked for at a port of the model servers.

The picker speaks Envoy's external processing protocol at a port of its own, 9002 by upstream's manifests. With the port of the model
servers the gateway speaks to the wrong place, or to nothing. Write the picker's port.

Source: Gateway API Inference Extension v1.6.0, config/charts/inferencepool/values.yaml; upstream issue 1338.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.picker_service import service_of
from policies.families.inference_extension.subject.pool import ASSUMED_PORT, requested
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    picker = pool.picker
    if picker is None or picker.port not in {number for _, number in pool.ports} or service_of(pool, facts) is not None:
        # Where the Service is known it has the last word.
        return
    yield RULE.finding(
        picker.port_path,
        f"{picker.port} is a target port of the model servers; the picker has a port of its own, unless its Service says otherwise",
        found=str(picker.port),
        expected=str(ASSUMED_PORT),
        hint=f"write the port of the picker, {ASSUMED_PORT} unless it was changed",
    )


RULE = Rule(
    id="GIE-020",
    name="picker-at-target-port",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 config/charts/inferencepool/values.yaml; issue 1338",
    reads=("Service",),
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 8000}}",
)

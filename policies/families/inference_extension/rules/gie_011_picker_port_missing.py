"""The Service of the endpoint picker has no such port.

The gateway speaks to the picker at this port of the Service. The experimental pool assumes 9002 where it names none. The port of the
model servers is often written here by mistake. Write a port of the Service.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencepool_types.go; upstream issue 1338.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.picker_service import is_external, ports_of, service_of
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    picker, service = pool.picker, service_of(pool, facts)
    if picker is None or service is None or not picker.port or is_external(service):
        return
    ports = ports_of(service)
    if ports and picker.port not in ports:
        listed = ", ".join(map(str, ports))
        is_written = lookup(request.object if isinstance(request.object, dict) else {}, picker.port_path) is not None
        assumed = "" if is_written else ", which is assumed where none is written"
        yield RULE.finding(
            picker.port_path,
            f'Service "{picker.name}" has no port {picker.port}{assumed}; it has {listed}',
            found=str(picker.port),
            expected=listed,
            hint=f"write {ports[0]}, or give the Service the port",
        )


RULE = Rule(
    id="GIE-011",
    name="picker-port-missing",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 api/v1alpha2/inferencepool_types.go; issue 1338",
    reads=("Service",),
    is_about_reference=True,
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9003}}",
    beside=("apiVersion: v1\nkind: Service\nmetadata: {name: epp, namespace: default}\nspec: {ports: [{port: 9002}]}"),
)

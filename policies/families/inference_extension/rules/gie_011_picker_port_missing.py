"""The Service of the endpoint picker has no such port.

The gateway speaks to the picker at this port of the Service. The experimental pool assumes 9002 where it names none. The port of the
model servers is often written here by mistake. Write a port of the Service.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencepool_types.go; upstream issue 1338.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.picker_service import is_external, ports_of, service_of
from weighbridge.policies.ground.objects import lookup


@pools.warning(
    about=REFERENCE,
    reads=("Service",),
    good="accepts-a-pool-with-all-around-it",
    bad="warns-of-a-port-that-the-picker-lacks",
)
def check(pool: Pool, given: Given) -> Said:
    picker, service = pool.picker, service_of(pool, given.facts)
    if picker is None or service is None or not picker.port or is_external(service):
        return
    ports = ports_of(service)
    if ports and picker.port not in ports:
        listed = ", ".join(map(str, ports))
        is_written = lookup(given.object, picker.port_path) is not None
        assumed = "" if is_written else ", which is assumed where none is written"
        yield Violation(
            picker.port_path,
            f'Service "{picker.name}" has no port {picker.port}{assumed}; it has {listed}',
            found=str(picker.port),
            expected=listed,
            hint=f"write {ports[0]}, or give the Service the port",
        )

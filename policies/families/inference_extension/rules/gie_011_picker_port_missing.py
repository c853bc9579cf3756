"""The Service of the endpoint picker lacks the port in the reference.

The gateway connects to the picker on this port of the Service. The experimental pool defaults it to 9002. A common mistake is to write the
port of the model servers here. Write a port of the Service.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencepool_types.go; upstream issue 1338.
"""

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, PickerService, Said, Violation, picker_services
from weighbridge.policies.ground.objects import lookup


@picker_services.warning(about=REFERENCE, good="accepts-a-pool-with-picker-pods-and-route", bad="warns-of-a-port-that-the-picker-lacks")
def check(service: PickerService, given: Given) -> Said:
    picker, ports = service.picker, service.ports
    if picker.port and ports and picker.port not in ports and not service.is_external:
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

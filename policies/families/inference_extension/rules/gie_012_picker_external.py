"""The Service of the endpoint picker is of type ExternalName.

Such a Service is a DNS name outside the namespace, and requests to it may reach any host (CVE-2021-25740). Gateways must not follow it,
so the pool's reference never resolves. Refer to a Service with a selector.

Source: Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, PickerService, Said, Violation, picker_services


@picker_services.warning(about=REFERENCE, good="accepts-a-pool-with-picker-pods-and-route", bad="warns-of-a-picker-elsewhere")
def check(service: PickerService) -> Said:
    if service.is_external:
        yield Violation(
            (*service.picker.path, "name"),
            f'Service "{service.picker.name}" is of type ExternalName, which gateways must not forward to',
            found=service.picker.name,
            expected="a Service with a selector",
            hint="refer to a Service that selects the pods of the picker",
        )

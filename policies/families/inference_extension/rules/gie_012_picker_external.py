"""The Service of the endpoint picker is of type ExternalName.

Such a Service is a name elsewhere, and forwarding to it may lead anywhere (CVE-2021-25740); implementations must not follow it, so the
pool never resolves its picker. Refer to a Service with a selector.

Source: Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.picker_service import is_external, service_of


@pools.warning(
    about=REFERENCE,
    reads=("Service",),
    good="accepts-a-pool-with-all-around-it",
    bad="warns-of-a-picker-elsewhere",
)
def check(pool: Pool, given: Given) -> Said:
    picker, service = pool.picker, service_of(pool, given.facts)
    if picker is not None and service is not None and is_external(service):
        yield Violation(
            (*picker.path, "name"),
            f'Service "{picker.name}" is of type ExternalName, which gateways must not forward to',
            found=picker.name,
            expected="a Service with a selector",
            hint="refer to a Service that selects the pods of the picker",
        )

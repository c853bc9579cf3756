"""The pool names no endpoint picker.

Since v1.6.0 the CRD accepts a pool without one. Some gateways then distribute requests over the pods themselves; others set
Accepted=False with the reason EndpointPickerRefMissing and serve nothing. Name the picker, or make sure that the gateway needs none.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/inferencepool_missing_epp_ref.go.
"""

from weighbridge.policies.families.inference_extension.kinds import STABLE
from weighbridge.policies.families.inference_extension.rulebook import Pool, Said, Violation, pools


@pools.warning(good="accepts-a-pool-with-picker-pods-and-route", bad="warns-of-a-pool-without-a-picker")
def check(pool: Pool) -> Said:
    if pool.group == STABLE and pool.picker is None and pool.ports:
        yield Violation(
            ("spec", "endpointPickerRef"),
            "is missing; gateways that need a picker won't accept the pool",
            expected="name and port of the picker's Service",
            hint="name the Service of the endpoint picker, or use a gateway that needs none",
        )

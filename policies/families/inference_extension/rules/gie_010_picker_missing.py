"""The namespace has no Service with the endpoint picker's name.

The gateway calls the picker for every request. Without its Service the pool gets ResolvedRefs=False, and the gateway answers requests with
500, unless `failureMode` is FailOpen. The reference has no namespace: the Service must be in the pool's namespace. Create the Service, or
correct the name. The Service may come later in the same rollout, so the rule only warns.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/inferencepool_invalid_epp_service.go.
"""

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, Pool, Said, pools
from weighbridge.policies.families.inference_extension.subject.picker_service import SERVICES


@pools.warning(
    about=REFERENCE, reads=("Service",), good="accepts-a-pool-with-picker-pods-and-route", bad="warns-of-a-picker-that-is-missing"
)
def check(pool: Pool, given: Given) -> Said:
    picker = pool.picker
    if picker is not None and picker.is_service and picker.name:
        message = f'namespace "{pool.namespace}" has no Service "{picker.name}"'
        hint = "create the Service in the pool's namespace, or correct the name"
        yield from SERVICES.missing(given, (*picker.path, "name"), picker.name, message, hint=hint, namespace=pool.namespace)

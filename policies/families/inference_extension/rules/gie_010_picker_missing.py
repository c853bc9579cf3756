"""The Service of the endpoint picker isn't there.

The gateway asks the picker for every request. Without its Service the pool gets ResolvedRefs=False and requests are answered with 500,
unless `failureMode` is FailOpen. The reference has no namespace: the Service must be in the pool's. Create it, or correct the name. It
may come later in the same rollout, so this warns.

Source: Gateway API Inference Extension v1.6.0, conformance/tests/inferencepool_invalid_epp_service.go.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import REFERENCE, Given, NotChecked, Pool, Said, Violation, pools
from weighbridge.policies.families.inference_extension.subject.picker_service import SERVICES


@pools.warning(
    about=REFERENCE,
    reads=("Service",),
    good="accepts-a-pool-with-all-around-it",
    bad="warns-of-a-picker-that-is-missing",
)
def check(pool: Pool, given: Given) -> Said:
    picker = pool.picker
    if picker is None or not picker.is_service or not picker.name:
        return
    is_missing = SERVICES.is_missing(given.facts, pool.namespace, picker.name)
    if is_missing is None:
        yield NotChecked(SERVICES.unknown)
    elif is_missing:
        yield Violation(
            (*picker.path, "name"),
            f'namespace "{pool.namespace}" has no Service "{picker.name}"',
            found=picker.name,
            nearest=SERVICES.nearest(given.facts, pool.namespace, picker.name),
            hint="create the Service in the pool's namespace, or correct the name",
        )

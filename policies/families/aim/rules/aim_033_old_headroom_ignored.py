"""The old field for headroom has no effect, because `storage` is set too.

`pvcHeadroomPercent` moved into `storage`. If `storage` is set, the CRD defaults its headroom to 10, and the operator ignores the old
field. Write it as `storage.pvcHeadroomPercent`.

Source: aim-engine v0.2.1, internal/controller/utils/config.go.
"""

from weighbridge.policies.families.aim.predictions.caches.storage import HEADROOM
from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, new_specs, part


@new_specs.warning(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-a-path-of-the-namespace-in-a-config",
    bad="warns-of-the-old-headroom-next-to-storage",
)
def check(spec: JSONObject) -> Said:
    old, new = spec.get("pvcHeadroomPercent"), part(spec, "storage").get("pvcHeadroomPercent")
    if isinstance(old, int) and isinstance(spec.get("storage"), dict) and new != old:
        yield Violation(
            ("spec", "pvcHeadroomPercent"),
            f"{old} % doesn't count, since storage is set: {HEADROOM if new is None else new} % applies",
            found=str(old),
            hint="write it as spec.storage.pvcHeadroomPercent",
        )

"""The old field for headroom stands beside `storage`, and doesn't count.

`pvcHeadroomPercent` moved into `storage`, where the CRD fills in 10 as soon as `storage` is there. Whatever the old field says is then
ignored.

Source: aim-engine v0.2.1 internal/controller/utils/config.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.predictions.storage import HEADROOM
from weighbridge.policies.families.aim.rulebook import Said, Violation, new_specs
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject


@new_specs.warning(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-a-path-of-the-namespace-in-a-config",
    bad="warns-of-the-old-headroom-beside-storage",
)
def check(spec: JSONObject) -> Said:
    old, new = spec.get("pvcHeadroomPercent"), part(spec, "storage").get("pvcHeadroomPercent")
    if isinstance(old, int) and isinstance(spec.get("storage"), dict) and new != old:
        yield Violation(
            ("spec", "pvcHeadroomPercent"),
            f"{old} % doesn't count beside storage: {HEADROOM if new is None else new} % applies",
            found=str(old),
            hint="write it as spec.storage.pvcHeadroomPercent",
        )

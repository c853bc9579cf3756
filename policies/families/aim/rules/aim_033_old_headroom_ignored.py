"""The old field for headroom stands beside `storage`, and doesn't count.

`pvcHeadroomPercent` moved into `storage`, where the CRD fills in 10 as soon as `storage` is there. Whatever the old field says is then
ignored.

Source: aim-engine v0.2.1 internal/controller/utils/config.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part


@objects.warning(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-a-path-of-the-namespace-in-a-config",
    bad="warns-of-the-old-headroom-beside-storage",
)
def check(given: Given) -> Said:
    spec = given.spec
    old, new = spec.get("pvcHeadroomPercent"), part(spec, "storage").get("pvcHeadroomPercent")
    if given.group == NEW and isinstance(old, int) and isinstance(spec.get("storage"), dict) and new != old:
        yield Violation(
            ("spec", "pvcHeadroomPercent"),
            f"{old} % doesn't count beside storage: {10 if new is None else new} % applies",
            found=str(old),
            hint="write it as spec.storage.pvcHeadroomPercent",
        )

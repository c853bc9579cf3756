"""The old field for headroom stands beside `storage`, and doesn't count.

`pvcHeadroomPercent` moved into `storage`, where the CRD fills in 10 as soon as `storage` is there. Whatever the old field says is then
ignored.

Source: aim-engine v0.2.1 internal/controller/utils/config.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import NEW
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    old, new = spec.get("pvcHeadroomPercent"), part(spec, "storage").get("pvcHeadroomPercent")
    if request.gvk.group == NEW and isinstance(old, int) and isinstance(spec.get("storage"), dict) and new != old:
        yield RULE.finding(
            ("spec", "pvcHeadroomPercent"),
            f"{old} % doesn't count beside storage: {10 if new is None else new} % applies",
            found=str(old),
            hint="write it as spec.storage.pvcHeadroomPercent",
        )


RULE = Rule(
    id="AIM-033",
    name="old-headroom-ignored",
    severity=Severity.WARNING,
    kinds=(
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/controller/utils/config.go",
    check=_check,
    good="storage: {pvcHeadroomPercent: 40}",
    bad="storage: {defaultStorageClassName: fast}\npvcHeadroomPercent: 40",
)

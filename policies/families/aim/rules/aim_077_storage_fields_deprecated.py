"""A runtime config sets fields that have moved into `storage`.

`defaultStorageClassName` and `pvcHeadroomPercent` at the top are the old place. They are read while `storage` is absent, and lose to what
the API server puts there as soon as it isn't. Write them as `storage.defaultStorageClassName` and `storage.pvcHeadroomPercent`.

Source: aim-engine v0.2.1 api/v1alpha1/aimruntimeconfig_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for name in ("defaultStorageClassName", "pvcHeadroomPercent"):
        found = spec.get(name)
        # Where both are there, AIM-033 says which one counts.
        if request.gvk.group != OLD and found not in (None, "") and "storage" not in spec:
            yield RULE.finding(
                ("spec", name), f"has moved: write storage: {{{name}: {found}}}", found=str(found), expected=f"spec.storage.{name}"
            )


RULE = Rule(
    id="AIM-077",
    name="storage-fields-deprecated",
    severity=Severity.WARNING,
    kinds=(
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 api/v1alpha1/aimruntimeconfig_types.go",
    check=_check,
    good="storage: {defaultStorageClassName: fast}",
    bad="defaultStorageClassName: fast",
)

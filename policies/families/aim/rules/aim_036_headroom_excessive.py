"""The headroom of volumes more than doubles them.

`pvcHeadroomPercent` is added to the size of the weights; 10 is usual. Nothing upstream sets an upper bound: 110 asks for volumes of more
than twice the size, where most authors mean 110 percent in all.

Source: aim-engine v0.2.1 internal/utils/storage.go; kaiwo dbca1b55 internal/controller/aim/shared/storage.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request

_MOST: Final = 100


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for path in (("pvcHeadroomPercent",), ("storage", "pvcHeadroomPercent")):
        found = lookup(spec, path)
        if isinstance(found, int) and found > _MOST:
            yield RULE.finding(
                ("spec", *path),
                f"volumes would have {1 + found / 100:g} times the size of the weights",
                found=str(found),
                expected="the part that is added, such as 10",
            )


RULE = Rule(
    id="AIM-036",
    name="headroom-excessive",
    severity=Severity.WARNING,
    kinds=(
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
        "AIMService",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/utils/storage.go; kaiwo dbca1b55 internal/controller/aim/shared/storage.go",
    check=_check,
    good="storage: {pvcHeadroomPercent: 25}",
    bad="storage: {pvcHeadroomPercent: 125}",
)

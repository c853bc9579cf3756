"""A model source asks its registries more often than upstream recommends.

Under 15 minutes registries soon answer with rate limits. 0 stands for the default of an hour.

Source: aim-engine v0.2.1 and kaiwo dbca1b55 api/v1alpha1/aimclustermodelsource_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.durations import nanoseconds
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request

#: Fifteen minutes in nanoseconds.
_LEAST = 15 * 60 * 10**9


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    found = spec_of(request.object).get("syncInterval")
    length = nanoseconds(found)
    if length is not None and 0 < length < _LEAST:
        yield RULE.finding(("spec", "syncInterval"), f"registries would be asked every {found}", found=str(found), expected="15m or more")


RULE = Rule(
    id="AIM-063",
    name="sync-interval-short",
    severity=Severity.WARNING,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55 api/v1alpha1/aimclustermodelsource_types.go",
    check=_check,
    good="filters: [{image: acme/x}]\nsyncInterval: 1h",
    bad="filters: [{image: acme/x}]\nsyncInterval: 1m",
)

"""A version constraint that the operator can't read is ignored, so every version matches.

`~` and `^` aren't supported though the documentation shows them, nor are commas, ranges with a hyphen or a version of fewer than two
numbers. Write `>=1.2.0 <2.0.0`: a blank is "and", `||` is "or".

Source: aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go, blang/semver v4.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.subject.constraints import is_constraint
from policies.families.family import Rule, spec_of
from policies.fields import items
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    lists: list[tuple[Path, JSONObject]] = [(("spec", "versions"), spec)]
    lists += [(("spec", "filters", index, "versions"), found) for index, found in enumerate(items(spec, "filters"))]
    for path, holder in lists:
        versions = holder.get("versions")
        for index, constraint in enumerate(versions if isinstance(versions, list) else ()):
            if isinstance(constraint, str) and not is_constraint(constraint):
                yield RULE.finding(
                    (*path, index),
                    f'"{constraint}" can\'t be read, so every version matches',
                    found=constraint,
                    expected="such as >=1.2.0 <2.0.0",
                )


RULE = Rule(
    id="AIM-060",
    name="version-constraint-unreadable",
    severity=Severity.ERROR,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go, blang/semver v4",
    check=_check,
    good='filters: [{image: acme/x, versions: [">=1.2.0 <2.0.0"]}]',
    bad='filters: [{image: acme/x, versions: ["~1.2.0"]}]',
)

"""A pattern for labels can't be read, so it is ignored.

Patterns are those of Go's `filepath.Match`: `*` and `?` stop at a slash, `[a-z]` is a class. One that can't be read matches nothing and is
never reported.

Source: aim-engine v0.2.1 internal/utils/labels.go; kaiwo dbca1b55 internal/controller/aim/shared/labels.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.labels import pattern_of
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    found = part(spec_of(request.object), "labelPropagation").get("match")
    for index, pattern in enumerate(found if isinstance(found, list) else ()):
        if isinstance(pattern, str) and pattern_of(pattern) is None:
            yield RULE.finding(
                ("spec", "labelPropagation", "match", index),
                f'"{pattern}" is no pattern, and matches no label',
                found=pattern,
                hint="close the bracket, or escape it with a backslash",
            )


RULE = Rule(
    id="AIM-032",
    name="label-pattern-unreadable",
    severity=Severity.ERROR,
    kinds=(
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
        "AIMService",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/utils/labels.go; kaiwo dbca1b55 internal/controller/aim/shared/labels.go",
    check=_check,
    good='labelPropagation: {enabled: true, match: ["team-*", "org.example/*"]}',
    bad='labelPropagation: {enabled: true, match: ["team-["]}',
)

"""A duration that the operator can't read stops it for the whole kind.

The CRD takes any text for `requestTimeout` and `syncInterval`; the operator reads them as Go durations. One object that it can't read stops
its watch of that kind in all namespaces, until the object is gone. Write such as `60s`, `1h30m`.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, metav1.Duration as observed.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.durations import parse_problem
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for path in (("routing", "requestTimeout"), ("syncInterval",)):
        found = lookup(spec, path)
        if isinstance(found, str) and (problem := parse_problem(found)):
            yield RULE.finding(
                ("spec", *path),
                f"the operator can't read the duration, and stops following all objects of this kind: {problem}",
                found=found,
                expected="such as 60s or 1h30m",
            )


RULE = Rule(
    id="AIM-031",
    name="duration-unreadable",
    severity=Severity.ERROR,
    kinds=(
        "AIMService",
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
        "AIMClusterModelSource",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55, metav1.Duration as observed",
    check=_check,
    good="model: {name: llama}\nrouting: {requestTimeout: 60s}",
    bad="model: {name: llama}\nrouting: {requestTimeout: 60 seconds}",
)

"""The registry of a model source can't be the host of one.

It is a host with or without a port. A scheme or a path makes every request fail, and the source with them.

Source: aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.subject.images import is_registry
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    registry = text(spec_of(request.object), "registry")
    if not registry or is_registry(registry):
        return
    host, _, path = (registry.partition("://")[2] or registry).partition("/")
    host = host.strip()
    yield RULE.finding(
        ("spec", "registry"),
        f'"{registry}" is no host of a registry',
        found=registry,
        expected=host if is_registry(host) else "such as ghcr.io",
        hint="write the path into the filters" if path else "",
    )


RULE = Rule(
    id="AIM-065",
    name="registry-unusable",
    severity=Severity.ERROR,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go",
    check=_check,
    good="""\
registry: ghcr.io
filters: [{image: "acme/llama*"}]""",
    bad="""\
registry: https://ghcr.io
filters: [{image: "acme/llama*"}]""",
)

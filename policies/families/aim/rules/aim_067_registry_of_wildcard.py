"""A wildcard names a registry that kaiwo doesn't ask.

The catalogue is asked at `spec.registry`, whatever host a filter with a wildcard begins with: `ghcr.io/acme/x*` under `docker.io` asks
Docker Hub for a namespace `ghcr.io`. Set `registry` to that host and leave it out of the filter.

Source: kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/registry.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    registry = text(spec, "registry") or "docker.io"
    for index, found in enumerate(items(spec, "filters")):
        image = text(found, "image")
        host, slash, rest = image.partition("/")
        if request.gvk.group == OLD and "*" in rest and slash and "." in host and host != registry:
            yield RULE.finding(
                ("spec", "filters", index, "image"),
                f"{registry} is asked, not {host}",
                found=image,
                expected=rest,
                hint=f"set spec.registry: {host}, in a source of its own",
            )


RULE = Rule(
    id="AIM-067",
    name="registry-of-wildcard",
    severity=Severity.WARNING,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/registry.go",
    check=_check,
    good="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {registry: ghcr.io, filters: [{image: "ghcr.io/acme/llama*"}]}""",
    bad="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {filters: [{image: "ghcr.io/acme/llama*"}]}""",
)

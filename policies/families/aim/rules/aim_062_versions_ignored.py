"""A filter's image has a tag, so its versions have no effect.

An explicit tag names one image; `versions` beside it are ignored, and for aim-engine so is `exclude`.

Source: aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for index, found in enumerate(items(spec_of(request.object), "filters")):
        image, versions = text(found, "image"), found.get("versions")
        if ":" in image.rpartition("/")[2] and "*" not in image and versions:
            yield RULE.finding(
                ("spec", "filters", index, "versions"),
                f'"{image}" has a tag: versions don\'t count',
                hint="leave the tag or the versions out",
            )


RULE = Rule(
    id="AIM-062",
    name="versions-ignored",
    severity=Severity.WARNING,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go",
    check=_check,
    good='filters: [{image: "acme/llama:1.0"}]',
    bad='filters: [{image: "acme/llama:1.0", versions: [">=0.9.0"]}]',
)

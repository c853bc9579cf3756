"""A filter's image can match no image.

An image in upper case or an empty one is no reference. After a wildcard a tag counts as a part of the repository's name and never fits;
give `versions` instead.

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
        image = text(found, "image")
        path = ("spec", "filters", index, "image")
        if not image.strip():
            yield RULE.finding(path, "the image is empty, and matches nothing", expected="such as acme/llama*")
        elif image != image.lower():
            yield RULE.finding(path, f'"{image}" has upper case, which no repository has', found=image, expected=image.lower())
        elif "*" in image and ":" in image.partition("*")[2]:
            yield RULE.finding(
                path, f'"{image}" has a tag after a wildcard, and matches nothing', found=image, hint="give the tags in versions"
            )


RULE = Rule(
    id="AIM-061",
    name="filter-matches-nothing",
    severity=Severity.ERROR,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go",
    check=_check,
    good='filters: [{image: "acme/llama*"}]',
    bad='filters: [{image: "acme/llama*:1.0"}]',
)

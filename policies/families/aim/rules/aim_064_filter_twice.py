"""Two filters of a model source are the same.

Filters are alternatives, so the second adds nothing; it counts the image twice towards `maxModels`, and the source may say that the limit
is reached though it isn't.

Source: aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    seen: list[JSONObject] = []
    for index, found in enumerate(items(spec_of(request.object), "filters")):
        if found in seen:
            yield RULE.finding(
                ("spec", "filters", index),
                f"is the same as filters[{seen.index(found)}]",
                found=text(found, "image"),
                hint="remove one of the two",
            )
        seen.append(found)


RULE = Rule(
    id="AIM-064",
    name="filter-twice",
    severity=Severity.WARNING,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 and kaiwo dbca1b55 internal/controller/aim/aimclustermodelsource/filtering.go",
    check=_check,
    good='filters: [{image: "acme/llama*"}, {image: "acme/qwen*"}]',
    bad='filters: [{image: "acme/llama*"}, {image: "acme/llama*"}]',
)

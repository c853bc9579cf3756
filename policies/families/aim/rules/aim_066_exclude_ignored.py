"""A filter names its tag, and what it excludes is ignored.

With a tag in `image` one image is meant. aim-engine takes it as it is and looks at neither `exclude` nor `versions`.

Source: aim-engine v0.2.1 internal/aimclustermodelsource.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.subject.images import has_tag
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for index, found in enumerate(items(spec_of(request.object), "filters")):
        image = text(found, "image")
        if request.gvk.group != OLD and found.get("exclude") and has_tag(image) and "*" not in image:
            yield RULE.finding(
                ("spec", "filters", index, "exclude"), "has no effect beside a tag in image", hint="remove it, or leave the tag out"
            )


RULE = Rule(
    id="AIM-066",
    name="exclude-ignored",
    severity=Severity.WARNING,
    kinds=("AIMClusterModelSource",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimclustermodelsource",
    check=_check,
    good='filters: [{image: "acme/llama*", exclude: [acme/llama-old]}]',
    bad='filters: [{image: "acme/llama:1.0", exclude: [acme/llama-old]}]',
)

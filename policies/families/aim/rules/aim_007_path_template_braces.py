"""A path template has braces that enclose no expression.

Only a pair of braces with something between is evaluated; a brace that is left over goes into the path as text, as `/{.metadata.name`
becomes `/metadata-name`.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.path_template import stray_braces
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    template = text(part(spec_of(request.object), "routing"), "pathTemplate")
    if stray_braces(template):
        yield RULE.finding(
            ("spec", "routing", "pathTemplate"),
            f'"{template}" has a brace without its counterpart, which is taken as text',
            found=template,
            hint="write {.metadata.name}, with both braces",
        )


RULE = Rule(
    id="AIM-007",
    name="path-template-braces",
    severity=Severity.WARNING,
    kinds=(
        "AIMService",
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/httproute.go",
    check=_check,
    good='model: {name: llama}\nrouting: {pathTemplate: "/{.metadata.name}"}',
    bad='model: {name: llama}\nrouting: {pathTemplate: "/{.metadata.name"}',
)

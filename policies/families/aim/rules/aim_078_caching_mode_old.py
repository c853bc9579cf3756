"""A caching mode of before is used.

`Auto` and `Always` act as Shared; the names are kept for old manifests alone. Write Shared.

Source: aim-engine v0.2.1 api/v1alpha1/aimservice_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    mode = text(part(spec_of(request.object), "caching"), "mode")
    if mode in ("Auto", "Always"):
        yield RULE.finding(("spec", "caching", "mode"), f"{mode} is the old name of Shared", found=mode, expected="Shared")


RULE = Rule(
    id="AIM-078",
    name="caching-mode-old",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 api/v1alpha1/aimservice_types.go",
    check=_check,
    good="""\
model: {name: llama}
caching: {mode: Shared}""",
    bad="""\
model: {name: llama}
caching: {mode: Auto}""",
)

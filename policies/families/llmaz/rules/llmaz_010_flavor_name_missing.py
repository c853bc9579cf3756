"""A flavor has no name.

Nobody can claim it by name, and the choice of it is told to nobody.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.flavors import flavors_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        if not flavor.name.strip() or "," in flavor.name:
            message = "the flavor has no name" if not flavor.name.strip() else "a name with a comma is read as two"
            yield RULE.finding((*flavor.path, "name"), message, found=flavor.name, expected="such as a100")


RULE = Rule(
    id="LLMAZ-010",
    name="flavor-name-missing",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: ""}]}""",
)

"""Two flavors of a model have the same name.

Whoever claims the name gets the first; the other one is never used.

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
    seen: set[str] = set()
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        if flavor.name and flavor.name in seen:
            yield RULE.finding((*flavor.path, "name"), "another flavor has this name, and is the one that is taken", found=flavor.name)
        seen.add(flavor.name)


RULE = Rule(
    id="LLMAZ-009",
    name="flavor-name-twice",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4}, {name: a10}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4}, {name: t4}]}""",
)

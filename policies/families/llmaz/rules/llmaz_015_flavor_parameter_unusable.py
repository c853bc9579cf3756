"""A parameter of a flavor means nothing.

Preset are TP, PP and INSTANCE-TYPE, in capitals; TP and PP are whole numbers. Others are for whoever reads them, which nobody does.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.flavors import flavors_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import similar

_PRESET: Final = ("INSTANCE-TYPE", "PP", "TP")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        for name, value in flavor.params.items():
            path = (*flavor.path, "params", name)
            if name not in _PRESET:
                yield RULE.finding(path, "nobody reads this parameter", found=name, nearest=similar(name.upper(), _PRESET, otherwise=3))
            elif name != "INSTANCE-TYPE" and not (value.isascii() and value.isdigit() and int(value) > 0):
                yield RULE.finding(path, f"{name} is a whole number", found=value, expected="such as 2")


RULE = Rule(
    id="LLMAZ-015",
    name="flavor-parameter-unusable",
    severity=Severity.WARNING,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, params: {TP: "1"}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, params: {tp: "1"}}]}""",
)

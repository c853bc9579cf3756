"""An argument of a runtime has braces that mean nothing.

Only `{{ .ModelPath }}` and its like are put in; everything else in braces reaches the engine as it is.

Source: llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.runtime import arguments_of
from policies.fields import items
from policies.findings import Finding, Severity
from policies.request import Request

_VARIABLE: Final = re.compile(r"\{\{\s*\.\w+\s*\}\}")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for place, found in enumerate(items(spec_of(request.object), "recommendedConfigs")):
        for index, argument in enumerate(arguments_of(found)):
            if "{{" in _VARIABLE.sub("", argument):
                path = ("spec", "recommendedConfigs", place, "args", index)
                yield RULE.finding(path, "what is in these braces reaches the engine as it is", found=argument, expected="{{ .ModelPath }}")


RULE = Rule(
    id="LLMAZ-054",
    name="runtime-variable-in-other-braces",
    severity=Severity.WARNING,
    kinds=("BackendRuntime",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go",
    check=_check,
    good='image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default, args: ["{{ .ModelPath }}"]}]',
    bad='image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default, args: ["{{ ModelPath }}"]}]',
)

"""An argument of a runtime names a variable that there isn't.

There are ModelPath, ModelName and DraftModelPath. Playgrounds that take the configuration are never served.

Source: llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.runtime import arguments_of, unknown_variables
from policies.fields import items
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for place, found in enumerate(items(spec_of(request.object), "recommendedConfigs")):
        for index, name in unknown_variables(arguments_of(found)):
            path = ("spec", "recommendedConfigs", place, "args", index)
            known = ("DraftModelPath", "ModelName", "ModelPath")
            yield RULE.finding(path, f"there is no variable {name}", found=name, nearest=similar(name, known, otherwise=3))


RULE = Rule(
    id="LLMAZ-052",
    name="runtime-variable-unknown",
    severity=Severity.ERROR,
    kinds=("BackendRuntime",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go",
    check=_check,
    good='image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default, args: ["{{ .ModelPath }}"]}]',
    bad='image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default, args: ["{{ .Model }}"]}]',
)

"""An argument of a Playground has a variable that nobody puts in.

Only the arguments of the runtime are filled in; those of the Playground reach the engine as they are written.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import part, texts
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for place, argument in enumerate(texts(part(spec_of(request.object), "backendRuntimeConfig"), "args")):
        if "{{" in argument:
            hint = "write the value, or add a configuration to the BackendRuntime"
            yield RULE.finding(
                ("spec", "backendRuntimeConfig", "args", place),
                "variables aren't put into arguments of Playgrounds",
                found=argument,
                hint=hint,
            )


RULE = Rule(
    id="LLMAZ-039",
    name="argument-not-rendered",
    severity=Severity.WARNING,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    beside=BESIDE,
    check=_check,
    good='modelClaim: {modelName: opt}\nbackendRuntimeConfig: {args: [--seed, "1"]}',
    bad='modelClaim: {modelName: opt}\nbackendRuntimeConfig: {args: [--model, "{{ .ModelPath }}"]}',
)

"""A Model's name is longer than a label's value may be, so its services get no Deployment.

The operator writes the Model's name into a label of every pod that serves it (`inference.llmkube.dev/model`). A name may have 253
characters, a label's value 63; the API server refuses the Deployment, and the service ends in phase Failed with nothing but `Failed to
create Deployment`. With accelerator metal there are no pods, and a long name is allowed.

Source: LLMKube v0.9.19 internal/controller/deployment_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.model.state import on_metal
from policies.families.llmkube.resolve.service.labels import LONGEST_VALUE
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    name = name_of(request.object)
    if len(name) > LONGEST_VALUE and not on_metal(request.object):
        yield RULE.finding(
            ("metadata", "name"),
            f"the name has {len(name)} characters, but it becomes a label of the pods, which may have {LONGEST_VALUE}",
            found=name,
            expected=f"at most {LONGEST_VALUE} characters",
        )


RULE = Rule(
    id="LLMKUBE-036",
    name="model-name-too-long",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/deployment_builder.go",
    check=_check,
    good="metadata: {name: llama-3-8b}\nspec: {source: hf://org/model}",
    bad=f"metadata: {{name: {'l' * 64}}}\nspec: {{source: hf://org/model}}",
)

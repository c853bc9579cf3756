"""A service describes its own model in a way that never gets it served.

`gpu.requests: 0` is dropped when the operator writes the service back, which the rule that the model can't change refuses: the service is
never reconciled. The template that is made of a description is unoptimized, so without `template.allowUnoptimized` the operator never
takes it.

Source: aim-engine v0.2.1 internal/aimservice/model.go and selection.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import flag, part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    custom = part(spec, "model", "custom")
    gpu = part(custom, "hardware", "gpu")
    if gpu.get("requests") == 0:
        yield RULE.finding(
            ("spec", "model", "custom", "hardware", "gpu", "requests"),
            "with 0 GPUs the service is never reconciled: its own update would change the model",
            found="0",
            expected="1 or more",
            hint="leave gpu out for a model on CPUs",
        )
    template = part(spec, "template")
    if custom and not flag(template, "allowUnoptimized") and not text(template, "name"):
        yield RULE.finding(
            ("spec", "template", "allowUnoptimized"),
            "the template of a described model is unoptimized, and isn't chosen",
            expected="true",
            hint="set spec.template.allowUnoptimized: true",
        )


RULE = Rule(
    id="AIM-017",
    name="custom-model-never-served",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go and selection.go",
    is_about_failure=True,
    check=_check,
    good="""\
model:
  custom:
    baseImage: "ghcr.io/acme/base:1.0"
    hardware: {gpu: {requests: 1}}
    modelSources: [{modelId: acme/x, sourceUri: "hf://acme/x"}]
template: {allowUnoptimized: true}""",
    bad="""\
model:
  custom:
    baseImage: "ghcr.io/acme/base:1.0"
    hardware: {gpu: {requests: 1}}
    modelSources: [{modelId: acme/x, sourceUri: "hf://acme/x"}]""",
)

"""The hardware of a model with sources of its own is missing or contradicts itself.

With `modelSources` and neither `custom.hardware` nor custom templates, the template that is made has no hardware and is Ready without any
GPU. A custom template that names a GPU model where `custom.hardware` has `minVram` gets both, which the template's CRD refuses: the model
stays Progressing.

Source: aim-engine v0.2.1 internal/aimmodel.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import NEW
from policies.families.family import Rule, spec_of
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    hardware = part(spec, "custom", "hardware")
    if request.gvk.group == NEW and items(spec, "modelSources") and not hardware and not items(spec, "customTemplates"):
        yield RULE.finding(
            ("spec", "custom", "hardware"), "a model with sources has no hardware, and would be served without a GPU", expected="gpu or cpu"
        )
    if "minVram" not in part(hardware, "gpu"):
        return
    for index, template in enumerate(items(spec, "customTemplates")):
        model = text(part(template, "hardware", "gpu"), "model")
        if model:
            yield RULE.finding(
                ("spec", "customTemplates", index, "hardware", "gpu", "model"),
                "the template would have both a GPU model and minVram of custom.hardware, which is refused",
                found=model,
                hint="leave minVram out of custom.hardware, or model out of the template",
            )


RULE = Rule(
    id="AIM-052",
    name="custom-hardware",
    severity=Severity.ERROR,
    kinds=(
        "AIMModel",
        "AIMClusterModel",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimmodel",
    check=_check,
    good="""\
image: "ghcr.io/acme/x:1.0"
modelSources: [{modelId: acme/x, sourceUri: "hf://acme/x"}]
custom:
  hardware: {gpu: {requests: 1}}""",
    bad='image: "ghcr.io/acme/x:1.0"\nmodelSources: [{modelId: acme/x, sourceUri: "hf://acme/x"}]',
)

"""Two custom templates of a model are equal in all that services choose by.

Each becomes a template of its own. Without a difference in type, GPU, metric or precision no service of the model finds one, unless it
names it.

Source: aim-engine v0.2.1 internal/aimmodel and internal/aimservice/selection.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    shared = text(part(spec, "custom", "hardware", "gpu"), "model")
    seen: dict[tuple[str, ...], int] = {}
    for index, template in enumerate(items(spec, "customTemplates")):
        profile, gpu = part(template, "profile"), text(part(template, "hardware", "gpu"), "model") or shared
        kind = text(template, "type") or text(part(spec, "custom"), "type")
        rank = (kind, gpu.strip().upper(), text(profile, "metric"), text(profile, "precision"))
        first = seen.setdefault(rank, index)
        if first != index:
            yield RULE.finding(
                ("spec", "customTemplates", index),
                f"has the type, GPU, metric and precision of customTemplates[{first}]: services of the model find neither",
                hint="give it another metric, precision or GPU, or remove it",
            )


RULE = Rule(
    id="AIM-055",
    name="custom-templates-equal",
    severity=Severity.WARNING,
    kinds=(
        "AIMModel",
        "AIMClusterModel",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimmodel and internal/aimservice/selection.go",
    check=_check,
    good="""\
image: "ghcr.io/acme/x:1.0"
modelSources: [{modelId: acme/x, sourceUri: "hf://acme/x"}]
custom: {hardware: {gpu: {requests: 1}}}
customTemplates: [{profile: {metric: latency}}, {profile: {metric: throughput}}]""",
    bad="""\
image: "ghcr.io/acme/x:1.0"
modelSources: [{modelId: acme/x, sourceUri: "hf://acme/x"}]
custom: {hardware: {gpu: {requests: 1}}}
customTemplates: [{profile: {metric: latency}}, {profile: {metric: latency}}]""",
)

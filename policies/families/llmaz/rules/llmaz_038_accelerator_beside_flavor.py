"""A runtime's resources have an accelerator, which the flavor overwrites.

The limits of the model's flavor win, in both directions. Give accelerators in the flavors of the OpenModel. A resource that the flavor
doesn't name is handed on; where the model is known, nothing is told of it.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.families.llmaz.subject.flavors import is_extended
from policies.fields import items, part
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec, reading = spec_of(request.object), reading_of(request, facts, config)
    flavor = reading.flavor if reading is not None and reading.choice is not None else None
    holders: list[tuple[Path, object]] = [
        (("spec", "backendRuntimeConfig", "resources"), part(spec, "backendRuntimeConfig").get("resources"))
    ]
    for place, found in enumerate(items(spec, "recommendedConfigs")):
        holders.append((("spec", "recommendedConfigs", place, "resources"), found.get("resources")))
    for path, resources in holders:
        for kind in ("limits", "requests"):
            for name in part(resources, kind) if isinstance(resources, dict) else {}:
                if is_extended(name) and (flavor is None or name in flavor.limits):
                    message = f"the flavor of the model decides about {name}, and overwrites this"
                    yield RULE.finding((*path, kind, name), message, hint="give accelerators in the flavors of the OpenModel")


RULE = Rule(
    id="LLMAZ-038",
    name="accelerator-beside-flavor",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "BackendRuntime",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {resources: {limits: {nvidia.com/gpu: 1}}}",
)

"""A service names a runtime that can't serve its model.

A runtime fits where it is enabled, lists the accelerator classes that the service asks for, supports the model's format, framework,
architecture and quantization in one item, and its size range holds the model. OME's controller stops at one that doesn't. Name another
runtime, or leave it out for OME to select one.

What a model leaves open is filled in by OME's agent once it has the model's files, but not where the model has the annotation
`ome.oracle.com/skip-config-parsing: "true"`. Until then a runtime that could fit isn't checked.

Source: OME v0.1.5 pkg/runtimeselector/selector.go and pkg/modelagent/config_parser.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.selection.choice import FITS, NO_CLASS, PANICS, awaiting, why_not
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, RUNTIME, SERVABLE
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual or serving.named is None:
        return
    named, model = serving.named, serving.model.model
    if model is None or named.runtime is None or named.candidate is None or named.candidate.outcome in (FITS, PANICS):
        return
    if named.candidate.outcome == NO_CLASS and serving.missing_classes:
        # Of a class that isn't there another rule speaks, and no runtime is of any help.
        return
    if named.awaited:
        yield RULE.unchecked(awaiting(model, named.awaited))
        return
    yield RULE.finding(
        ("spec", "runtime", "name"),
        f"{named.runtime.title} can't serve {model.title}: {why_not(model, named.candidate, serving.demanded)}",
        found=named.name,
        hint="name another runtime, or leave it out for OME to select one",
    )


RULE = Rule(
    id="OME-003",
    name="runtime-does-not-fit",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/runtimeselector/selector.go",
    reads=CLASS_READS,
    is_about_failure=True,
    beside=SERVABLE.replace("name: srt", "name: small", 1).replace("max: 9B", "max: 7B", 1) + RUNTIME,
    check=_check,
    good="model: {name: llama}\nruntime: {name: srt}\nengine: {}",
    bad="model: {name: llama}\nruntime: {name: small}\nengine: {}",
)

"""A service names a runtime that can't serve its model.

A runtime fits where it is enabled, lists the accelerator classes that the service asks for, supports the model's format, framework,
architecture and quantization in one item, and its size range holds the model. OME's controller stops at one that doesn't. Name another
runtime, or leave it out for OME to select one.

What a model leaves open is filled in by OME's agent once it has the model's files, but not where the model has the annotation
`ome.oracle.com/skip-config-parsing: "true"`. Until then a runtime that could fit isn't checked.

Source: OME v0.1.5 pkg/runtimeselector/selector.go and pkg/modelagent/config_parser.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.selection.choice import FITS, NO_CLASS, PANICS, awaiting, why_not
from weighbridge.policies.families.ome.rulebook import FAILURE, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import CLASS_READS


@services.error(
    about=FAILURE,
    reads=CLASS_READS,
    good="accepts-the-larger-of-two-runtimes",
    bad="refuses-a-runtime-for-smaller-models",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual or serving.named is None:
        return
    named, model = serving.named, serving.model.model
    if model is None or named.runtime is None or named.candidate is None or named.candidate.outcome in (FITS, PANICS):
        return
    if named.candidate.outcome == NO_CLASS and serving.missing_classes:
        # Of a class that isn't there another rule speaks, and no runtime is of any help.
        return
    if named.awaited:
        yield NotChecked(awaiting(model, named.awaited))
        return
    yield Violation(
        ("spec", "runtime", "name"),
        f"{named.runtime.title} can't serve {model.title}: {why_not(model, named.candidate, serving.demanded)}",
        found=named.name,
        hint="name another runtime, or leave it out for OME to select one",
    )

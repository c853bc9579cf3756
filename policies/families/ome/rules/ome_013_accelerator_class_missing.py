"""A service names an accelerator class that isn't there.

OME's controller stops at it with the event `AcceleratorClassError`, and makes no pods. Where no runtime lists the class either, none is
selected, but it is the class that has to be written first. Apply the AcceleratorClass first, or correct the name.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import ACCELERATOR_CLASSES
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, CLASSED
from policies.findings import Finding, Severity, Unchecked
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return
    # Without a runtime no component has a class yet.
    for name, path in serving.missing_classes if serving.runtime is None else ():
        yield _missing(path, name, "no pods come of the service", facts)
    for choice in serving.classes.values():
        if not choice.name or choice.accelerator is not None:
            continue
        if choice.unknown:
            yield RULE.unchecked(choice.unknown)
            continue
        yield _missing(choice.path, choice.name, f"{choice.component} gets no pods", facts)


def _missing(path: Path, name: str, what: str, facts: Facts) -> Finding:
    return RULE.finding(
        path,
        f'no AcceleratorClass "{name}" is in the cluster, so {what}',
        found=name,
        nearest=ACCELERATOR_CLASSES.nearest(facts, "", name),
        hint="apply the class first, or correct the name",
    )


RULE = Rule(
    id="OME-013",
    name="accelerator-class-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/selector.go",
    reads=CLASS_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=CLASSED.replace("[nvidia-h100]", "[nvidia-h100, nvidia-gone]"),
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {acceleratorClass: nvidia-h100}
engine: {}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {acceleratorClass: nvidia-gone}
engine: {}
""",
)

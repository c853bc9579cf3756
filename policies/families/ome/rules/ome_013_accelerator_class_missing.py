"""A service names an accelerator class that isn't there.

OME's controller stops at it with the event `AcceleratorClassError`, and makes no pods. Where no runtime lists the class either, none is
selected, but it is the class that has to be written first. Apply the AcceleratorClass first, or correct the name.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.ground.objects import Path


@services.error(
    about=REFERENCE | FAILURE,
    reads=CLASS_READS,
    good="warns-of-a-class-that-no-runtime-lists",
    bad="warns-of-a-missing-class-that-no-runtime-lists",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.is_virtual:
        return
    # Without a runtime no component has a class yet.
    for name, path in serving.missing_classes if serving.runtime is None else ():
        yield _missing(path, name, "no pods come of the service", given.facts)
    for choice in serving.classes.values():
        if not choice.name or choice.accelerator is not None:
            continue
        if choice.unknown:
            yield NotChecked(choice.unknown)
            continue
        yield _missing(choice.path, choice.name, f"{choice.component} gets no pods", given.facts)


def _missing(path: Path, name: str, what: str, facts: Facts) -> Violation:
    return Violation(
        path,
        f'no AcceleratorClass "{name}" is in the cluster, so {what}',
        found=name,
        nearest=ACCELERATOR_CLASSES.nearest(facts, "", name),
        hint="apply the class first, or correct the name",
    )

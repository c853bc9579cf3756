"""A service names an accelerator class that doesn't exist.

OME's controller reports the event `AcceleratorClassError` and creates no pods. Apply the AcceleratorClass first, or correct the name. If
no runtime lists the class either, OME selects none, and the class must exist all the same.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import CLASS_READS, FAILURE, REFERENCE, Given, Said, Service, deployed


@deployed.error(
    about=REFERENCE | FAILURE,
    reads=CLASS_READS,
    good="accepts-a-class-that-the-cluster-has",
    bad="warns-of-a-missing-class-that-no-runtime-lists",
)
def check(service: Service, given: Given) -> Said:
    named = [(choice.name, choice.path, f"{component} gets no pods") for component, choice in service.classes.items() if choice.name]
    if service.runtime is None:
        # Without a runtime no component has a class yet.
        named = [(name, path, "the service gets no pods") for name, path in service.missing_classes]
    for name, path, what in named:
        message = f'no AcceleratorClass "{name}" is in the cluster, so {what}'
        yield from ACCELERATOR_CLASSES.missing(given, path, name, message, hint="apply the class first, or correct the name")

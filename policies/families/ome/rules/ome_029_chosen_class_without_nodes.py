"""A service gets an accelerator class that no node has.

OME doesn't look at the nodes when it chooses: FirstAvailable uses the first class in the runtime's list. The pods then stay Pending
until a node has the labels of the class. Name a class that the cluster has, or put that one first.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import CLASS_READS, PLACEMENT, NotChecked, Said, Service, Violation, deployed
from weighbridge.policies.families.ome.subject.accelerators import has_node, read_class


@deployed.warning(
    about=PLACEMENT,
    reads=tuple(sorted((*CLASS_READS, "Node"))),
    good="accepts-a-chosen-class-with-nodes",
    bad="warns-of-a-chosen-class-without-nodes",
)
def check(service: Service) -> Said:
    inventory = service.facts.inventory
    for component, choice in service.classes.items():
        if choice.accelerator is None or not choice.accelerator.node_selector:
            continue
        if inventory is None:
            yield NotChecked("no nodes of the cluster are known")
            return
        if has_node(choice.accelerator, inventory):
            continue
        listed = service.runtime.classes if service.runtime is not None else ()
        others = (read_class(found) for name in listed if (found := ACCELERATOR_CLASSES.get(service.facts, "", name)) is not None)
        yield Violation(
            choice.path,
            f"{component} gets AcceleratorClass {choice.name}, and no node of the cluster is of that class",
            found=choice.name,
            nearest=", ".join(one.name for one in others if has_node(one, inventory)),
            hint="name a class that the cluster has, or add such nodes",
        )

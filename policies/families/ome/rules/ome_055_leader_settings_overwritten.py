"""The accelerator class overwrites settings of a leader or worker.

A class doesn't change fields of the component itself, but it overwrites resources, node selector and affinity of the component's leader
and worker. Write the class's own values there, or remove the class.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from weighbridge.policies.families.ome.rulebook import CLASS_READS, Path, Said, Service, Violation, deployed, part
from weighbridge.policies.families.ome.subject.components import ROLES


@deployed.warning(
    reads=CLASS_READS,
    good="accepts-a-leader-that-leaves-its-gpus-to-the-class",
    bad="warns-of-resources-of-a-leader-under-a-class",
)
def check(service: Service) -> Said:
    for component, choice in service.classes.items():
        accelerator = choice.accelerator
        if accelerator is None:
            continue
        whole = part(service.spec, component)
        resources, labels = set(accelerator.resources), set(accelerator.node_selector)
        for role in ROLES:
            own, overwritten = part(whole, role), list[Path]()
            if resources & set(part(own, "runner", "resources", "limits")) and not part(whole, "runner", "resources"):
                overwritten.append(("runner", "resources"))
            if labels & set(part(own, "nodeSelector")) and not labels & set(part(whole, "nodeSelector")):
                overwritten.append(("nodeSelector",))
            if own.get("affinity") and part(accelerator.spec, "discovery").get("affinity") and not part(whole, "affinity"):
                overwritten.append(("affinity",))
            for field in overwritten:
                message = f"AcceleratorClass {choice.name} overwrites what is written here"
                yield Violation(("spec", component, role, *field), message, hint="remove it, or remove the class")

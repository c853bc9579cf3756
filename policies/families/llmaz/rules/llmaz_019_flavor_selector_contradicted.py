"""The pods' nodeSelector contradicts every flavor that they may get.

llmaz's scheduler plugin allows a pod only on nodes with all labels of one of its flavors, and the pod's own `nodeSelector` applies as
well. If both have a label with different values, no node has both: the pods stay Pending, and nothing reports why. The plugin ignores all
flavors if one of them has no labels, or if the model lacks a claimed flavor. The default scheduler always ignores them.

Source: InftyAI/scheduler-plugins 25a11fd, pkg/plugins/resource_fungibility.
"""

from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, part, services, text, text_map
from weighbridge.policies.families.llmaz.subject.flavors import Flavor


@services.warning(
    kinds=("Service",),
    reads=("ConfigMap/llmaz-global-config", "OpenModel.llmaz.io"),
    good="accepts-a-selector-that-the-default-scheduler-takes",
    bad="warns-of-a-selector-against-that-of-the-flavor",
)
def check(service: Service) -> Said:
    flavors, templates = service.considered, part(service.object, "spec", "workloadTemplate")
    # Only these pods have the labels by which the plugin finds the model.
    template = "leaderTemplate" if isinstance(templates.get("leaderTemplate"), dict) else "workerTemplate"
    pod = part(templates, template, "spec")
    scheduler = text(pod, "schedulerName") or service.operator.scheduler
    if scheduler in ("", "default-scheduler") or not flavors or len(flavors) < len(service.claims.flavors):
        return
    chosen = text_map(pod, "nodeSelector")
    against = [_contradicted(flavor, chosen) for flavor in flavors]
    if all(against):
        key = against[0]
        other = ", ".join(f"{flavor.name}: {label}={flavor.node_selector[label]}" for flavor, label in zip(flavors, against, strict=True))
        message = f"{scheduler} requires the labels of a flavor as well, but no node has both ({other})"
        path = ("spec", "workloadTemplate", template, "spec", "nodeSelector", key)
        yield Violation(path, message, found=chosen[key], hint="leave it out, or claim a flavor with this label")


def _contradicted(flavor: Flavor, chosen: dict[str, str]) -> str:
    """The first label of a flavor that the pods want with another value; empty if there is none."""
    return next((key for key, value in flavor.node_selector.items() if chosen.get(key, value) != value), "")

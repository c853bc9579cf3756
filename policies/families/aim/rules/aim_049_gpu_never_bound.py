"""The operator finds the GPU in the cluster, but binds the pods to a label that no node has.

The operator finds a GPU by any of its labels, among them `beta.amd.com/gpu.device-id` and keys that count. It binds pods only by
`amd.com/gpu.device-id`. If the nodes lack that label, the pods wait for ever although the template is Ready. Run a current version of AMD's
node labeller, or label the nodes.

Source: aim-engine v0.2.1, internal/aimservicetemplate/gpu.go; kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go.
"""

from weighbridge.policies.families.aim.rulebook import Given, Said, Template, Violation, templates
from weighbridge.policies.families.aim.subject.gpus import DEVICE_ID, cluster_models, device_ids


@templates.warning(reads=("Node",), good="accepts-a-gpu-with-both-labels", bad="warns-of-a-gpu-that-pods-are-never-bound-to")
def check(template: Template, given: Given) -> Said:
    model, inventory = template.model, given.facts.inventory
    ids = device_ids(model)
    if inventory is None or not ids or model not in cluster_models(inventory, template.dialect):
        return
    if not inventory.with_label(DEVICE_ID, frozenset(ids)):
        yield Violation(
            template.gpu_path("model"),
            f"no node with an {model} has the label {DEVICE_ID}, which the pods are bound to",
            found=model,
            expected=f"{DEVICE_ID}: {' or '.join(ids)}",
            hint="run a current version of AMD's node labeller, or label the nodes",
        )

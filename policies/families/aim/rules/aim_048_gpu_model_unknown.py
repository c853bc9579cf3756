"""The operator can't find a GPU of this model in any cluster.

The operator recognises GPUs by their device ids and compares normalised names: `MI325` isn't `MI325X`, and aim-engine knows no NVIDIA GPU.
The template would be NotAvailable in every cluster. Write the model as the operator spells it. AIM-040 reports a model that the operator
knows and the cluster lacks.

Source: aim-engine v0.2.1, internal/aimservicetemplate/gpu.go; kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go.
"""

from weighbridge.policies.families.aim.rulebook import Given, Said, Template, Violation, similar, templates, text
from weighbridge.policies.families.aim.subject.gpus import KNOWN_MODELS, can_be_found, cluster_models


@templates.warning(reads=("Node",), good="accepts-an-mi300x-as-amds-resource", bad="warns-of-an-unknown-gpu-without-a-cluster")
def check(template: Template, given: Given) -> Said:
    dialect, model, inventory = template.dialect, template.model, given.facts.inventory
    if not model or can_be_found(model, dialect) or (inventory is not None and model in cluster_models(inventory, dialect)):
        return
    yield Violation(
        template.gpu_path("model"),
        f"{dialect.title} finds no GPU of the model {model} in any cluster",
        found=text(template.gpu, "model"),
        nearest=similar(model, sorted(KNOWN_MODELS)),
        hint="write the model as the operator knows it",
    )

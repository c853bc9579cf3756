"""The cluster has no GPU of the model that a template requests.

The operator reads the label `amd.com/gpu.device-id` and its older spellings, and compares normalised names: `MI250` isn't `MI250X`. Until
such a node joins, the template is NotAvailable, and so is every service that names it. Request a GPU model that the cluster has.

Source: aim-engine v0.2.1, internal/aimservicetemplate/gpu.go; kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go.
"""

from weighbridge.policies.families.aim.predictions.template import has_gpu
from weighbridge.policies.families.aim.rulebook import Given, Said, Template, Violation, similar, templates, text
from weighbridge.policies.families.aim.subject.gpus import can_be_found, cluster_models


@templates.warning(
    mirrors="condition GPUReady, GPUNotAvailable",
    reads=("Node",),
    good="accepts-a-gpu-by-its-memory",
    bad="warns-of-a-gpu-that-the-cluster-lacks",
)
def check(template: Template, given: Given) -> Said:
    inventory, dialect, model = given.facts.inventory, template.dialect, template.model
    if inventory is None or has_gpu(template.object, dialect, given.facts) is not False:
        return
    # AIM-048 reports a model that no cluster can have.
    if model and not can_be_found(model, dialect):
        return
    written = text(template.gpu, "model")
    wanted = f"GPU model {written}" if written.strip() else "GPU with so much memory" if "minVram" in template.gpu else "GPU"
    yield Violation(
        template.gpu_path("model") if written.strip() else template.gpu_path(),
        f"the cluster has no {wanted} that the operator would find",
        found=written,
        nearest=similar(model, sorted(cluster_models(inventory, dialect)), otherwise=3),
        hint="request a GPU model that the cluster has; nodes need the label amd.com/gpu.device-id",
    )

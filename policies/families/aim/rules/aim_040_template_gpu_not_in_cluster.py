"""The cluster has no GPU of the model that a template asks for.

The operator goes by the label `amd.com/gpu.device-id` and its older spellings, and compares normalised names: `MI250` isn't `MI250X`.
The template is NotAvailable until such a node joins, and so is every service that names it.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.gpus import can_be_found, cluster_models, normalised
from weighbridge.policies.families.aim.predictions.template import has_gpu
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import lookup
from weighbridge.policies.ground.spelling import similar


@objects.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate"),
    mirrors="condition GPUReady, GPUNotAvailable",
    reads=("Node",),
    good="accepts-a-gpu-by-its-memory",
    bad="warns-of-a-gpu-that-the-cluster-lacks",
)
def check(given: Given) -> Said:
    dialect = dialect_of(given.group)
    if has_gpu(given.object, dialect, given.facts) is not False or given.facts.inventory is None:
        return
    gpu = lookup(given.spec, dialect.hardware)
    model, there = text(gpu, "model"), sorted(cluster_models(given.facts.inventory, dialect))
    name = normalised(model, dialect)
    # Of a model that no cluster can have, AIM-048 speaks.
    if name and not can_be_found(name, dialect):
        return
    wanted = f"GPU model {model}" if model.strip() else "GPU with so much memory" if "minVram" in gpu else "GPU"
    yield Violation(
        ("spec", *dialect.hardware, *(("model",) if model.strip() else ())),
        f"the cluster has no {wanted} that the operator would find",
        found=model,
        nearest=similar(name, there, otherwise=3),
        hint="ask for a GPU of the cluster; nodes need the label amd.com/gpu.device-id",
    )

"""The model of a GPU is none that the operator can find in any cluster.

It knows GPUs by their device ids and compares normalised names: `MI325` isn't `MI325X`, and aim-engine knows none of NVIDIA. The template
would be NotAvailable wherever it is applied. Of models that can be found, AIM-040 says whether the cluster has them.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.gpus import KNOWN_MODELS, can_be_found, cluster_models, normalised
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import lookup
from weighbridge.policies.ground.spelling import similar


@objects.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate"),
    reads=("Node",),
    good="accepts-an-mi300x-as-amds-resource",
    bad="warns-of-an-unknown-gpu-without-a-cluster",
)
def check(given: Given) -> Said:
    dialect = dialect_of(given.group)
    model = text(lookup(given.spec, dialect.hardware), "model")
    name = normalised(model, dialect)
    there = cluster_models(given.facts.inventory, dialect) if given.facts.inventory is not None else {}
    if not name or can_be_found(name, dialect) or name in there:
        return
    yield Violation(
        ("spec", *dialect.hardware, "model"),
        f"{dialect.title} finds no GPU of the model {name} in any cluster",
        found=model,
        nearest=similar(name, sorted(KNOWN_MODELS)),
        hint="write the model as the operator knows it",
    )

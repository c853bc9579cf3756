"""The model of a GPU is none that the operator can find in any cluster.

It knows GPUs by their device ids and compares normalised names: `MI325` isn't `MI325X`, and aim-engine knows none of NVIDIA. The template
would be NotAvailable wherever it is applied. Of models that can be found, AIM-040 says whether the cluster has them.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.gpus import KNOWN_MODELS, can_be_found, cluster_models, normalised
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect = dialect_of(request.gvk.group)
    model = text(lookup(spec_of(request.object), dialect.hardware), "model")
    name = normalised(model, dialect)
    there = cluster_models(facts.inventory, dialect) if facts.inventory is not None else {}
    if not name or can_be_found(name, dialect) or name in there:
        return
    yield RULE.finding(
        ("spec", *dialect.hardware, "model"),
        f"{dialect.title} finds no GPU of the model {name} in any cluster",
        found=model,
        nearest=similar(name, sorted(KNOWN_MODELS)),
        hint="write the model as the operator knows it",
    )


RULE = Rule(
    id="AIM-048",
    name="gpu-model-unknown",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go",
    reads=("Node",),
    beside=READY,
    check=_check,
    good="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI300X}}""",
    bad="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI325}}""",
)

"""The cluster has no GPU of the model that a template asks for.

The operator goes by the label `amd.com/gpu.device-id` and its older spellings, and compares normalised names: `MI250` isn't `MI250X`.
The template is NotAvailable until such a node joins, and so is every service that names it.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.gpus import can_be_found, cluster_models, normalised
from policies.families.aim.resolve.template import has_gpu
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect = dialect_of(request.gvk.group)
    if not isinstance(request.object, dict) or has_gpu(request.object, dialect, facts) is not False or facts.inventory is None:
        return
    gpu = lookup(spec_of(request.object), dialect.hardware)
    model, there = text(gpu, "model"), sorted(cluster_models(facts.inventory, dialect))
    name = normalised(model, dialect)
    # Of a model that no cluster can have, AIM-048 speaks.
    if name and not can_be_found(name, dialect):
        return
    wanted = f"GPU model {model}" if model.strip() else "GPU with so much memory" if "minVram" in gpu else "GPU"
    yield RULE.finding(
        ("spec", *dialect.hardware, *(("model",) if model.strip() else ())),
        f"the cluster has no {wanted} that the operator would find",
        found=model,
        nearest=similar(name, there, otherwise=3),
        hint="ask for a GPU of the cluster; nodes need the label amd.com/gpu.device-id",
    )


RULE = Rule(
    id="AIM-040",
    name="template-gpu-not-in-cluster",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go",
    mirrors="condition GPUReady, GPUNotAvailable",
    reads=("Node",),
    beside=READY,
    check=_check,
    good="modelName: llama\nhardware: {gpu: {requests: 1, model: Instinct MI300X}}",
    bad="modelName: llama\nhardware: {gpu: {requests: 1, model: MI355X}}",
)

"""The model of a GPU is blank.

Blanks pass the CRD and count as no model: any GPU of the cluster will do, and the pods are bound to none.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.kinds import OLD
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect = dialect_of(request.gvk.group)
    gpu = lookup(spec_of(request.object), dialect.hardware)
    model = text(gpu, "model")
    if model and not model.strip():
        yield RULE.finding(
            ("spec", *dialect.hardware, "model"),
            "blanks count as no model: any GPU will do",
            hint="name a GPU such as MI300X" + ("" if request.gvk.group == OLD else ", or leave the model out"),
        )


RULE = Rule(
    id="AIM-047",
    name="gpu-model-blank",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go",
    beside=READY,
    check=_check,
    good="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI300X}}""",
    bad="""\
modelName: llama
hardware: {gpu: {requests: 1, model: "  "}}""",
)

"""The operator finds the GPU in the cluster, and binds the pods to nodes that aren't there.

A GPU is found by any of its labels, among them `beta.amd.com/gpu.device-id` and keys that count. Pods are bound to `amd.com/gpu.device-
id` alone, so where nodes lack that label, they wait for good though the template is Ready.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.gpus import DEVICE_ID, cluster_models, device_ids, normalised
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect = dialect_of(request.gvk.group)
    model = normalised(text(lookup(spec_of(request.object), dialect.hardware), "model"), dialect)
    ids = device_ids(model)
    if facts.inventory is None or not ids or model not in cluster_models(facts.inventory, dialect):
        return
    if not facts.inventory.with_label(DEVICE_ID, frozenset(ids)):
        yield RULE.finding(
            ("spec", *dialect.hardware, "model"),
            f"no node with an {model} has the label {DEVICE_ID}, which the pods are bound to",
            found=model,
            expected=f"{DEVICE_ID}: {' or '.join(ids)}",
            hint="run AMD's node labeller of today, or label the nodes",
        )


RULE = Rule(
    id="AIM-049",
    name="gpu-never-bound",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go",
    reads=("Node",),
    beside=READY
    + """
---
apiVersion: v1
kind: Node
metadata: {name: mi210, labels: {beta.amd.com/gpu.device-id: 740f}}
status: {allocatable: {cpu: "64", memory: 1Ti, pods: "110", amd.com/gpu: "8"}}""",
    check=_check,
    good="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI300X}}""",
    bad="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI210}}""",
)

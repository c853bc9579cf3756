"""A GPU is described, and none is asked for.

Without `gpu.requests`, or with 0, a template needs no GPU: `model` and `minVram` are looked at by nobody, the template is Ready, and its
pods get no GPU.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import items, part, whole
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.gvk.group == OLD:
        return
    for path, gpu in _described(spec_of(request.object)):
        told = [name for name in ("model", "minVram") if gpu.get(name) not in (None, "")]
        if told and whole(gpu, "requests") <= 0:
            yield RULE.finding(
                ("spec", *path, "requests"),
                f"{' and '.join(told)} without requests: no GPU is asked for",
                found=str(gpu.get("requests", "")),
                expected="1 or more",
            )


def _described(spec: JSONObject) -> Iterator[tuple[Path, JSONObject]]:
    """Every block of a GPU, with its place."""
    for path in (("hardware", "gpu"), ("custom", "hardware", "gpu"), ("model", "custom", "hardware", "gpu")):
        yield path, part(spec, *path)
    shared = whole(part(spec, "custom", "hardware", "gpu"), "requests")
    for index, template in enumerate(items(spec, "customTemplates")):
        # What a template leaves open it has of the model's hardware.
        if not shared:
            yield ("customTemplates", index, "hardware", "gpu"), part(template, "hardware", "gpu")


RULE = Rule(
    id="AIM-046",
    name="gpu-without-count",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMModel",
        "AIMClusterModel",
        "AIMService",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservicetemplate/gpu.go",
    beside=READY,
    check=_check,
    good="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI300X}}""",
    bad="""\
modelName: llama
hardware: {gpu: {model: MI300X}}""",
)

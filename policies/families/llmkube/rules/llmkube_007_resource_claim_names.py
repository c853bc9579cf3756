"""The names of a Model's resource claims can't stand in a pod.

Each claim's `name` becomes a pod-level name: a DNS label, once per pod; an empty reference names no claim. The CRD
checks neither, Deployment validation refuses all three, and the InferenceService ends as Failed with the reason only in
the operator's log.

Source: LLMKube v0.9.19 measured against Kubernetes 1.36; pkg/apis/core/validation, ValidatePodResourceClaims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.gpu import gpu_request
from policies.findings import Finding, Severity
from policies.request import Request

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object)
    seen: set[str] = set()
    for index, claim in enumerate(gpu.claims if gpu is not None else ()):
        path = ("spec", "hardware", "gpu", "resourceClaims", index)
        name = claim.get("name")
        if isinstance(name, str):
            if name in seen:
                yield RULE.finding(
                    (*path, "name"),
                    f'"{name}" is the name of another claim of this pod already',
                    found=name,
                    hint="give each claim its own name",
                )
            elif not _LABEL.fullmatch(name):
                yield RULE.finding(
                    (*path, "name"),
                    f'"{name}" is not a DNS label',
                    found=name,
                    expected="1 to 63 characters of a-z, 0-9 and -, with no - at either end",
                )
            seen.add(name)
        for field in ("resourceClaimName", "resourceClaimTemplateName"):
            if claim.get(field) == "":
                yield RULE.finding((*path, field), "is empty; it must name a claim", expected="the name of an object of this namespace")


RULE = Rule(
    id="LLMKUBE-007",
    name="resource-claim-names",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="Kubernetes 1.36 pkg/apis/core/validation",
    check=_check,
    good="source: hf://org/model\nhardware: {gpu: {resourceClaims: [{name: a, resourceClaimName: x}, {name: b, resourceClaimName: y}]}}",
    bad="source: hf://org/model\nhardware: {gpu: {resourceClaims: [{name: a, resourceClaimName: x}, {name: a, resourceClaimName: y}]}}",
)

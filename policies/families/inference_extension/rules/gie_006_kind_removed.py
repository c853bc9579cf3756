"""The kind is no longer shipped by the release that the cluster has.

The CRDs of InferenceModel went with v1.0.0, the experimental InferencePool with v1.5.0, InferenceObjective and InferenceModelRewrite with
v1.6.0. Whoever upgrades with the bundle loses the objects; where the CRD stays behind, no endpoint picker reads them. Write the
successor. Where nothing tells which release the cluster has this is only a note.

Source: Gateway API Inference Extension v1.0.0 (#1255), v1.5.0 (#2796) and v1.6.0 (#2973), config/crd/bases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.kinds import REMOVED
from policies.families.inference_extension.versions import version_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    removal = REMOVED.get(request.gvk)
    version = version_of(facts.definitions, config)
    if removal is None or (version is not None and version < removal.release):
        return
    release = ".".join(map(str, removal.release))
    found = RULE.finding(
        ("apiVersion",),
        f"{request.gvk.kind} of {request.gvk.group} has not been shipped since v{release}",
        found=request.gvk.api_version,
        expected=removal.successor,
        hint=f"write its successor: {removal.successor}",
    )
    yield found if version is not None else replace(found, severity=Severity.NOTE)


RULE = Rule(
    id="GIE-006",
    name="kind-removed",
    severity=Severity.WARNING,
    kinds=("InferencePool", "InferenceModel", "InferenceObjective", "InferenceModelRewrite"),
    since="0.1.0",
    source="Gateway API Inference Extension v1.0.0, v1.5.0 and v1.6.0 config/crd/bases",
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad=(
        "apiVersion: inference.networking.x-k8s.io/v1alpha2\n"
        "spec: {selector: {app: vllm}, targetPortNumber: 8000, extensionRef: {name: epp}}"
    ),
    config="inferenceExtension: {version: v1.6.0}",
)

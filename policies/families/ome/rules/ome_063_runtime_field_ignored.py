"""A field of a runtime's pods stands where OME doesn't read it.

With an engine of its own OME takes nothing of the pods from the runtime's spec itself but `nodeSelector` and the resources of `containers`.
Affinity, tolerations, volumes and the rest belong into `engineConfig`, `decoderConfig` and `routerConfig`.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.components import COMPONENTS
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    spec = spec_of(request.object)
    if not any(isinstance(spec.get(key), dict) for key in COMPONENTS.values()):
        return
    for field in _IGNORED:
        if spec.get(field) not in (None, [], {}, ""):
            yield RULE.finding(
                ("spec", field), "OME reads it in engineConfig, decoderConfig and routerConfig, not here", hint="move it there"
            )


_IGNORED: Final = (
    *("affinity", "tolerations", "volumes", "initContainers", "imagePullSecrets", "serviceAccountName", "priorityClassName"),
    *("runtimeClassName", "schedulerName", "topologySpreadConstraints", "hostNetwork", "hostIPC", "securityContext", "dnsPolicy"),
)


RULE = Rule(
    id="OME-063",
    name="runtime-field-ignored",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go",
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
nodeSelector: {zone: a}
engineConfig: {tolerations: [{operator: Exists}]}
""",
    bad="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
tolerations: [{operator: Exists}]
engineConfig: {}
""",
)

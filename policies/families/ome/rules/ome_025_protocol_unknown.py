"""A protocol of a runtime is none of OME's.

`protocolVersions` are free texts that only OME's webhook compares, between runtimes that have the same format and priority.

Source: OME v0.1.5 pkg/constants/constants.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import texts
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request

_PROTOCOLS: Final = ("openAI", "openInference-v1", "openInference-v2", "cohere")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for index, name in enumerate(texts(spec_of(request.object), "protocolVersions")):
        if name not in _PROTOCOLS:
            path: Path = ("spec", "protocolVersions", index)
            yield RULE.finding(path, f'"{name}" is no protocol that OME knows', found=name, expected=", ".join(_PROTOCOLS))


RULE = Rule(
    id="OME-025",
    name="protocol-unknown",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/constants/constants.go",
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
protocolVersions: [openAI]
""",
    bad="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
protocolVersions: [openai]
""",
)

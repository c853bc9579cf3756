"""Braces in a runner are read as a template.

OME runs the runner's JSON through Go's templates with the service's metadata. `{{ .Name }}`, `.Namespace`, `.Labels.x` and `.Annotations.x`
are filled in; anything else between double braces, a chat template for example, fails, and so does a double quote there. Put such text into
a file of a ConfigMap.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.components import containers_of, pod_parts
from policies.findings import Finding, Severity
from policies.objects import JSONValue, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    for pod, path in pod_parts(request.object):
        for container in containers_of(pod, path):
            if not container.is_runner:
                continue
            for where, words in _texts(container.obj, container.path):
                wrong = next((found[0] for found in _BRACES.finditer(words) if not _FILLED.fullmatch(found[0])), None)
                if wrong is not None:
                    yield RULE.finding(
                        where,
                        "OME reads double braces as a template of the service's metadata, and fails on this one",
                        expected="{{ .Name }}, {{ .Namespace }}, {{ .Labels.x }} or {{ .Annotations.x }}",
                        hint="put other text with braces into a file of a ConfigMap",
                    )


_BRACES: Final = re.compile(r"\{\{.*?(?:\}\}|\Z)", re.DOTALL)
_FILLED: Final = re.compile(r"\{\{-?\s*\.(?:Name|Namespace|(?:Labels|Annotations)\.[A-Za-z_][A-Za-z0-9_]*)\s*-?\}\}")


def _texts(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    """All texts of a container, each with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))


RULE = Rule(
    id="OME-053",
    name="braces-are-a-template",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime", "InferenceService"),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go",
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
engineConfig: {runner: {name: ome-container, image: "sglang:1", args: [--served-model-name, "{{ .Name }}"]}}
""",
    bad="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
engineConfig: {runner: {name: ome-container, image: "sglang:1", args: [--chat-template, "{{ bos_token }}"]}}
""",
)

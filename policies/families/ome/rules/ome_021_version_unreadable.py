"""A version of a format or framework can't be read.

OME reads up to three numbers with dots between them, with a `v` before them if need be; only behind the third may something follow, as in
`4.45.0.dev0`. Numbers have no zeros in front. What it can't read matches nothing, not even itself, so that no runtime is found.

Source: OME v0.1.5 pkg/modelver/util.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.formats import optional
from policies.families.ome.subject.model_versions import parse
from policies.fields import items
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    places: list[tuple[JSONObject, Path]] = [(spec, ("spec",))]
    places += [(item, ("spec", "supportedModelFormats", index)) for index, item in enumerate(items(spec, "supportedModelFormats"))]
    for found, path in places:
        for key in ("modelFormat", "modelFramework"):
            version = optional(found.get(key), "version")
            if version is not None and parse(version) is None:
                yield RULE.finding(
                    (*path, key, "version"),
                    f"OME can't read {version!r}, and what it can't read matches nothing",
                    found=version,
                    expected="numbers such as 4.45.0, or with a third one also 4.45.0.dev0",
                )


RULE = Rule(
    id="OME-021",
    name="version-unreadable",
    severity=Severity.WARNING,
    kinds=("BaseModel", "ClusterBaseModel", "ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelver/util.go",
    check=_check,
    good="""\
storage: {storageUri: "hf://acme/llama", path: /models/llama}
modelFormat: {name: safetensors, version: 1.0.0}
""",
    bad="""\
storage: {storageUri: "hf://acme/llama", path: /models/llama}
modelFormat: {name: safetensors, version: 1.0-rc1}
""",
)

"""A version of a format or framework can't be read.

OME reads up to three numbers with dots between them, with a `v` before them if need be; only behind the third may something follow, as in
`4.45.0.dev0`. Numbers have no zeros in front. What it can't read matches nothing, not even itself, so that no runtime is found.

Source: OME v0.1.5 pkg/modelver/util.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.formats import optional
from weighbridge.policies.families.ome.subject.model_versions import parse
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.objects import JSONObject, Path


@objects.warning(
    kinds=("BaseModel", "ClusterBaseModel", "ServingRuntime", "ClusterServingRuntime"),
    good="accepts-a-development-version-by-equality",
    bad="warns-of-a-version-of-a-runtime-that-is-unreadable",
)
def check(given: Given) -> Said:
    spec = given.spec
    places: list[tuple[JSONObject, Path]] = [(spec, ("spec",))]
    places += [(item, ("spec", "supportedModelFormats", index)) for index, item in enumerate(items(spec, "supportedModelFormats"))]
    for found, path in places:
        for key in ("modelFormat", "modelFramework"):
            version = optional(found.get(key), "version")
            if version is not None and parse(version) is None:
                yield Violation(
                    (*path, key, "version"),
                    f"OME can't read {version!r}, and what it can't read matches nothing",
                    found=version,
                    expected="numbers such as 4.45.0, or with a third one also 4.45.0.dev0",
                )

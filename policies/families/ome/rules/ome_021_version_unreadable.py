"""OME can't read the version of a format or framework.

A version has up to three numbers with dots between them and without leading zeros, and may begin with `v`. Only the third number may have a
suffix, as in `4.45.0.dev0`. A version that OME can't read matches nothing, not even itself, so OME finds no runtime. Write the version in
that form.

Source: OME v0.1.5, pkg/modelver/util.go.
"""

from weighbridge.policies.families.ome.rulebook import Given, JSONObject, Path, Said, Violation, items, objects
from weighbridge.policies.families.ome.subject.formats import optional
from weighbridge.policies.families.ome.subject.model_versions import parse


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
                    f'OME can\'t read version "{version}", so the format matches nothing',
                    found=version,
                    expected="numbers such as 4.45.0, or with a third one also 4.45.0.dev0",
                )

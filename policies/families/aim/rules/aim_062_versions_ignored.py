"""A filter's image has a tag, so its versions have no effect.

An explicit tag names one image. The operator then ignores `versions`, and aim-engine also `exclude`. Remove the tag or the versions.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, specs, text


@specs.warning(kinds=("AIMClusterModelSource",), good="accepts-a-tag-alone", bad="warns-of-versions-with-a-tag")
def check(spec: JSONObject) -> Said:
    for index, found in enumerate(items(spec, "filters")):
        image, versions = text(found, "image"), found.get("versions")
        if ":" in image.rpartition("/")[2] and "*" not in image and versions:
            yield Violation(
                ("spec", "filters", index, "versions"),
                f'"{image}" has a tag: versions don\'t count',
                hint="remove the tag or the versions",
            )

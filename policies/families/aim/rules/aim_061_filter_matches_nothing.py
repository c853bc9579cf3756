"""A filter can't match any image.

An image with upper-case letters, or an empty one, isn't a valid reference. After a wildcard a tag counts as a part of the repository's
name and never matches; write `versions` instead.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, specs, text


@specs.error(kinds=("AIMClusterModelSource",), good="accepts-a-tag-alone", bad="refuses-a-filter-in-upper-case")
def check(spec: JSONObject) -> Said:
    for index, found in enumerate(items(spec, "filters")):
        image = text(found, "image")
        path = ("spec", "filters", index, "image")
        if not image.strip():
            yield Violation(path, "the image is empty, and matches nothing", expected="such as acme/llama*")
        elif image != image.lower():
            yield Violation(path, f'"{image}" has upper case, which no repository has', found=image, expected=image.lower())
        elif "*" in image and ":" in image.partition("*")[2]:
            yield Violation(
                path, f'"{image}" has a tag after a wildcard, and matches nothing', found=image, hint="give the tags in versions"
            )

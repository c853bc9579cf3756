"""A filter names a tag, so the operator ignores `exclude`.

A tag in `image` names one image. aim-engine uses it as it is and reads neither `exclude` nor `versions`. Remove `exclude`, or leave the
tag out.

Source: aim-engine v0.2.1, internal/aimclustermodelsource.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, new_specs, text
from weighbridge.policies.families.aim.subject.images import has_tag


@new_specs.warning(kinds=("AIMClusterModelSource",), good="accepts-a-tag-alone", bad="warns-of-an-exclusion-with-a-tag")
def check(spec: JSONObject) -> Said:
    for index, found in enumerate(items(spec, "filters")):
        image = text(found, "image")
        if found.get("exclude") and has_tag(image) and "*" not in image:
            yield Violation(
                ("spec", "filters", index, "exclude"), "has no effect, since image has a tag", hint="remove it, or leave the tag out"
            )

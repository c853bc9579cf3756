"""Two filters of a model source are the same.

Filters are alternatives, so the second adds nothing. The operator counts the image twice towards `maxModels`, and the source may report
that the limit is reached although it isn't. Remove one of the two.

Source: aim-engine v0.2.1 and kaiwo dbca1b55, internal/controller/aim/aimclustermodelsource/filtering.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, specs, text


@specs.warning(kinds=("AIMClusterModelSource",), good="accepts-a-wildcard", bad="warns-of-a-filter-that-is-listed-twice")
def check(spec: JSONObject) -> Said:
    seen: list[JSONObject] = []
    for index, found in enumerate(items(spec, "filters")):
        if found in seen:
            yield Violation(
                ("spec", "filters", index),
                f"is the same as filters[{seen.index(found)}]",
                found=text(found, "image"),
                hint="remove one of the two",
            )
        seen.append(found)

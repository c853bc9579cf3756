"""A variable of a template's caches is listed twice.

The CRD of kaiwo doesn't require unique names in `caching.env`. The download gets both variables, and the last one counts. Keep one of them.

Source: kaiwo dbca1b55, config/crd/bases/aim.silogen.ai_aimservicetemplates.yaml.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, items, old_specs, text


@old_specs.warning(
    kinds=("AIMServiceTemplate",), good="accepts-two-variables-of-caches", bad="warns-of-a-variable-of-caches-that-is-set-twice"
)
def check(spec: JSONObject) -> Said:
    seen: set[str] = set()
    for index, entry in enumerate(items(spec, "caching", "env")):
        name = text(entry, "name")
        if name in seen:
            yield Violation(
                ("spec", "caching", "env", index, "name"),
                f"{name} is listed twice, and the last one counts",
                found=name,
                hint="keep one of them",
            )
        seen.add(name)

"""A caching mode has an old name.

`Auto` and `Always` mean Shared; the names exist only for old manifests. Write Shared.

Source: aim-engine v0.2.1, api/v1alpha1/aimservice_types.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, part, specs, text


@specs.warning(kinds=("AIMService",), good="accepts-the-caching-mode-shared", bad="warns-of-the-caching-mode-auto")
def check(spec: JSONObject) -> Said:
    mode = text(part(spec, "caching"), "mode")
    if mode in ("Auto", "Always"):
        yield Violation(("spec", "caching", "mode"), f"{mode} is the old name of Shared", found=mode, expected="Shared")

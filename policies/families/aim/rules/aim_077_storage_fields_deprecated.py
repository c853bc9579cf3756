"""A runtime config sets fields that have moved into `storage`.

`defaultStorageClassName` and `pvcHeadroomPercent` at the top level are the old fields. The operator reads them as long as `storage` is
absent. If `storage` is set, its values win, also the API server's defaults. Write them as `storage.defaultStorageClassName` and
`storage.pvcHeadroomPercent`.

Source: aim-engine v0.2.1, api/v1alpha1/aimruntimeconfig_types.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, new_specs


@new_specs.warning(
    kinds=("AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
    good="accepts-a-path-of-the-namespace-in-a-config",
    bad="warns-of-a-storage-class-at-its-old-place",
)
def check(spec: JSONObject) -> Said:
    for name in ("defaultStorageClassName", "pvcHeadroomPercent"):
        found = spec.get(name)
        # If both fields are set, AIM-033 says which one counts.
        if found not in (None, "") and "storage" not in spec:
            yield Violation(
                ("spec", name), f"has moved: write storage: {{{name}: {found}}}", found=str(found), expected=f"spec.storage.{name}"
            )
